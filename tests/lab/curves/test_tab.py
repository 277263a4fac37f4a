from rosenblatt.lab.curves.tab import CurvesTab
from rosenblatt.lab.downloads import Downloads
from rosenblatt.lab.jobs.messages import Done, Remark
from rosenblatt.lab.jobs.scheduler import JobScheduler
from rosenblatt.lab.state import State


class Failing:
    """A process that has said what is wrong, and not yet that nothing more comes."""

    ended = False

    def __init__(self, job):
        self.box = [Remark("too long", failure=True)]

    def messages(self):
        found, self.box = self.box, [Done()]
        return found

    def proceed(self):
        pass

    def kill(self):
        pass


def test_the_end_of_a_job_does_not_cover_what_was_wrong_with_it():
    scheduler = JobScheduler(Failing, slots=1)
    tab = CurvesTab("a", State(), scheduler, Downloads(), print)
    for _ in range(3):
        tab.update()
        assert tab.message.text == "too long"
        assert "wrong" in tab.message.css_classes
