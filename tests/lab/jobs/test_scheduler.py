import pytest

from rosenblatt.lab.jobs import scheduler as module
from rosenblatt.lab.jobs.messages import Done, Job, Ready, Remark
from rosenblatt.lab.jobs.scheduler import MOST, JobScheduler
from rosenblatt.lab.state import State


class Fake:
    """A process that does a piece of work whenever it is let go and told to end it."""

    def __init__(self, pieces):
        self.left, self.box = pieces, [Ready()]
        self.turns = self.done = 0
        self.killed = self.ended = False

    def messages(self):
        found, self.box = self.box, []
        return found

    def proceed(self):
        assert not self.killed
        self.turns += 1

    def finish(self):
        """End the piece that is under way."""
        self.left, self.done = self.left - 1, self.done + 1
        self.box += [Remark(f"{self.left} left"), Ready() if self.left else Done()]

    def kill(self):
        self.killed = True


@pytest.fixture
def made():
    return []


@pytest.fixture
def scheduler(made):
    def start(job):
        made.append(Fake(job.state.replicas))
        return made[-1]

    return JobScheduler(start, slots=2)


def job(pieces):
    return Job(State(replicas=pieces))


def test_visitors_take_turns_whatever_the_size_of_their_jobs(scheduler, made):
    for visitor, pieces in zip("abcd", (100, 100, 100, 5), strict=True):
        scheduler.submit(visitor, job(pieces))
    for _ in range(50):
        scheduler.collect("a")  # whoever looks serves everybody
        under_way = [fake for fake in made if fake.turns > fake.done]
        assert len(under_way) <= 2
        for fake in under_way:
            fake.finish()
    turns = [fake.turns for fake in made]
    # 100 turns in all: 5 for the small job, the rest shared evenly
    assert turns[3] == 5
    assert max(turns[:3]) - min(turns[:3]) <= 1
    assert made[3].killed  # done, and gone
    told = [Remark(f"{k} left") for k in range(4, -1, -1)]
    assert scheduler.collect("d") == [*told, Done()]
    assert not scheduler.busy("d")


def test_a_new_choice_ends_the_old_one(scheduler, made):
    scheduler.submit("a", job(3))
    scheduler.collect("a")
    made[0].finish()
    scheduler.submit("a", job(2))
    assert made[0].killed
    assert scheduler.collect("a") == []  # nothing of the old one arrives
    assert made[1].turns == 1
    assert made[0].turns == 1


def test_who_leaves_makes_room_at_once(scheduler, made):
    for visitor in "abc":
        scheduler.submit(visitor, job(9))
    scheduler.collect("a")
    assert [fake.turns for fake in made] == [1, 1, 0]
    assert scheduler.waiting("c") == 1
    scheduler.cancel("a")
    assert [fake.turns for fake in made] == [1, 1, 1]
    assert scheduler.waiting("c") == 0
    assert not scheduler.busy("a")


def test_a_process_that_ends_without_a_word_is_reported(scheduler, made):
    scheduler.submit("a", job(3))
    scheduler.collect("a")
    made[0].ended = True
    (said,) = scheduler.collect("a")
    assert said.failure
    assert "longer" in said.text
    assert not scheduler.busy("a")


def test_a_piece_that_never_ends_is_stopped(scheduler, made, monkeypatch):
    monkeypatch.setattr(module, "_LONGEST", -1.0)
    scheduler.submit("a", job(3))
    scheduler.collect("a")
    (said,) = scheduler.collect("a")
    assert said.failure
    assert made[0].killed


def test_there_is_a_limit_to_all_jobs(scheduler, made):
    for visitor in range(MOST + 1):
        scheduler.submit(visitor, job(9))
    assert len(made) == MOST
    (said,) = scheduler.collect(MOST)
    assert said.failure
    assert "Too many" in said.text
    scheduler.close()
    assert all(fake.killed for fake in made)


def test_a_visitor_sees_the_end_of_a_job_though_another_looked_first(scheduler, made):
    scheduler.submit("a", job(1))
    scheduler.submit("b", job(9))
    assert scheduler.collect("a") == []
    made[0].box = [Done()]
    scheduler.collect("b")
    assert scheduler.busy("a")  # until it has looked
    assert scheduler.collect("a") == [Done()]
    assert not scheduler.busy("a")
