"""A scheduler that decides what becomes of tasks when they are sent."""


class Future:
    def __init__(self, status, value=None):
        self.status, self.value = status, value

    def add_done_callback(self, call):
        if self.status in ("finished", "error"):
            call(self)

    def exception(self):
        return self.value

    def result(self, timeout=None):
        return self.value

    def release(self):
        pass


class Client:
    """A client; a list says what becomes of tasks, beginning with the first."""

    def __init__(self, fates=(), counts=None, status="running"):
        self.fates, self.status = list(fates), status
        self.workers = {} if counts is None else {"w": counts}
        self.sent, self.cancelled = [], []

    def compute(self, tasks, workers=None):
        """Return a future for each task; an error or a value is its fate, too."""
        self.sent.append(len(tasks))
        return [self.future(number) for number in range(len(tasks))]

    def future(self, value):
        fate = self.fates.pop(0) if self.fates else "finished"
        if isinstance(fate, BaseException):
            return Future("error", fate)
        known = ("finished", "lost", "cancelled", "pending")
        return Future(fate, value) if fate in known else Future("finished", fate)

    def nthreads(self):
        return dict.fromkeys(self.workers, 1)

    def scheduler_info(self, n_workers):
        return {
            "workers": {
                name: {"metrics": {"task_counts": counts}}
                for name, counts in self.workers.items()
            }
        }

    def cancel(self, futures):
        self.cancelled += futures
