r"""Simulation of committees, exactly in law at every N.

No vectors are drawn, only coordinates in a frame of M + K directions, which the M
teachers and K students span. Some replicas advance together, each at its own index of
the last axis, whose length is a multiple of eight. Eight of them share a vector
instruction. The processor works on others while these wait for a root.

**Students** are rows of coordinates. The first ones are along the teachers, the last K
are triangular: row i ends with its coordinate i. Adding ``gain_i * (z, rest)``, where
``rest`` lies outside of the frame, takes two sweeps of K plane rotations. The first
turns the vector into the first direction; it depends on the vector alone, so that its
angles are known beforehand. The second makes the rows triangular again. No length is
obtained by subtraction.

**A drifting teacher** has units that turn together, so that their overlaps stay. Each
of the M directions that span them turns by an angle :math:`\varphi` towards a
random direction :math:`u` outside of their span. In the frame that moves along, a
student with coordinate a along that direction, and p outside of the span, becomes

.. math::
    a \leftarrow a \cos\varphi + (p \cdot u) \sin\varphi, \qquad
    p \leftarrow p + [(\cos\varphi - 1)\, p \cdot u - a \sin\varphi]\, u.  \tag{1}

**Examples** are drawn in blocks. One has independent normal components in the frame of
all units. What is left of its squared length is a chi-square variate with N - M - K
degrees of freedom. All numbers depend on seed, replica and the example's number alone.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import xarray as xr

from rosenblatt.committees.committee import (
    Committee,
    RateLike,
    Start,
    check_motion,
    check_rates,
    factor,
    rate_of,
    starting,
)
from rosenblatt.committees.theory import CommitteeDrift, committee_trace
from rosenblatt.compiling import force_inlined, inlined, kernel, types
from rosenblatt.compiling.eights import (
    EIGHT,
    inverse_root,
    is_zero,
    load,
    root,
    same_eight,
    store,
)
from rosenblatt.compiling.jit import Activations, Rate, activations, compiled
from rosenblatt.compiling.vectors import aligned_table, aligned_zeros
from rosenblatt.core import Clock, Motion, Schedule
from rosenblatt.core.arguments import part
from rosenblatt.core.types import HUGE, FloatArray, Words
from rosenblatt.numerics.random import (
    SPARE_BITS,
    Columns,
    chi_square,
    columns_of,
    columns_of_normals,
    columns_of_uniforms,
    normal,
    quick_chi_squares,
    uniform,
)
from rosenblatt.simulation.experiment import (
    EXAMPLES,
    FAULT,
    RECORDED,
    Batch,
    Engine,
    Experiment,
    Progress,
    Run,
)
from rosenblatt.simulation.rotation import Rotations, next_change, rotations_of
from rosenblatt.system.threads import core_count

EXAMPLE, SPARE, NOISE, TURN = range(4)  # uses of random numbers


@inlined
def wrong(first: float, second: float) -> bool:
    """Return whether a rate is negative or not finite.

    Examples
    --------
    >>> wrong(0.5, 0.0), wrong(0.5, -1.0)
    (False, True)
    """
    return not (0.0 <= first <= HUGE and 0.0 <= second <= HUGE)


class Frame(NamedTuple):
    """Numbers that stay the same during a run."""

    teacher: types.Matrix  # triangular factor of the teacher's overlaps
    outputs: types.Vector  # output weights of the teacher
    decay: float
    noise: float
    dim: int
    piece: int  # examples of a call


@inlined
def first_angles(
    z: FloatArray, axes: int, example: int, outside2: FloatArray, angles: FloatArray
) -> None:
    """Write the angles of the first sweep for an example.

    Angles have the shape (example, student, cosine or sine, lane).

    ``z`` has its components, (example, direction, lane), along ``axes`` directions and
    then along those of the students. ``outside2`` is the squared length outside of the
    frame, (example, lane), and becomes the length of the whole vector.
    """
    students, lanes = angles.shape[1], z.shape[2]
    first = (example * z.shape[1] + axes) * lanes
    for lane in range(0, lanes, EIGHT):
        at = example * lanes + lane
        squared = load(outside2, at)
        length = root(squared)
        for j in range(students - 1, -1, -1):
            component = load(z, first + j * lanes + lane)
            squared = squared + component * component
            inverse = inverse_root(squared)
            cosine = (example * students + j) * 2 * lanes + lane
            store(angles, cosine, component * inverse + is_zero(squared))
            store(angles, cosine + lanes, length * inverse)
            length = squared * inverse
        store(outside2, at, length)


@inlined
def add(
    rows: FloatArray,
    gain: FloatArray,
    keep: float,
    example: int,
    lengths: FloatArray,
    angles: FloatArray,
    second: FloatArray,
) -> None:
    """Add the vector of an example to the triangular part of all rows.

    ``second`` is memory for the second sweep, (student, cosine or sine, lane).
    """
    students, width, lanes = rows.shape
    kept, at = same_eight(keep), example * students * 2 * lanes
    for i in range(students):
        for lane in range(0, lanes, EIGHT):
            row = (i * width + width - 1 - students) * lanes + lane
            carry = same_eight(0.0)
            for j in range(i, -1, -1):
                cosine = at + j * 2 * lanes + lane
                c, s = load(angles, cosine), load(angles, cosine + lanes)
                a = kept * load(rows, row + j * lanes)
                store(rows, row + (j + 1) * lanes, c * carry - s * a)
                carry = c * a + s * carry
            reach = load(lengths, example * lanes + lane)
            a = carry + load(gain, i * lanes + lane) * reach
            for j in range(i):
                cosine = j * 2 * lanes + lane
                c, s = load(second, cosine), load(second, cosine + lanes)
                b = load(rows, row + (j + 1) * lanes)
                store(rows, row + j * lanes, c * a + s * b)
                a = c * b - s * a
            b = load(rows, row + (i + 1) * lanes)
            squared = a * a + b * b
            inverse = inverse_root(squared)
            store(rows, row + i * lanes, squared * inverse)
            store(rows, row + (i + 1) * lanes, same_eight(0.0))
            cosine = i * 2 * lanes + lane
            store(second, cosine, a * inverse + is_zero(squared))
            store(second, cosine + lanes, b * inverse)


@inlined
def turn_rows(
    rows: FloatArray, teachers: int, rotations: Rotations, example: int, words: Words
) -> None:
    """Turn the teachers of some replicas; the rows are those of the frame."""
    students, width, lanes = rows.shape
    u, outside = np.empty((1, students, lanes)), np.empty((1, lanes))
    gain, angles = np.empty(students * lanes), np.empty((1, students, 2, lanes))
    second = np.empty((students, 2, lanes))
    cosine, sine = same_eight(rotations.cosine), same_eight(rotations.sine)
    less = same_eight(rotations.cosine - 1.0)
    for lane in range(lanes):
        words[lane, 2] = np.uint64(example) << np.uint64(SPARE_BITS)
    for n in range(teachers):
        for lane in range(lanes):
            rng, length2 = words[lane], 0.0
            for j in range(students):
                u[0, j, lane] = normal(rng)
                length2 += u[0, j, lane] * u[0, j, lane]
            freedom = rotations.dim - teachers - students
            rest2 = chi_square(freedom, normal(rng), uniform(rng), rng)
            inverse = 1.0 / math.sqrt(length2 + rest2)
            for j in range(students):
                u[0, j, lane] *= inverse
            outside[0, lane] = rest2 * inverse * inverse
        for i in range(students):
            for lane in range(0, lanes, EIGHT):
                row, towards = i * width * lanes + lane, same_eight(0.0)
                for j in range(i + 1):
                    place = row + (teachers + j) * lanes
                    towards = towards + load(rows, place) * load(u, j * lanes + lane)
                place = row + n * lanes
                along = load(rows, place)
                store(rows, place, cosine * along + sine * towards)  # eq. (1)
                store(gain, i * lanes + lane, less * towards - sine * along)
        first_angles(u, 0, 0, outside, angles)
        add(rows, gain, 1.0, 0, outside, angles, second)


BLOCK = 64  # examples whose random numbers are drawn together


class Room(NamedTuple):
    """Memory for a block of examples; replicas are in the last axis."""

    inputs: FloatArray  # (example, direction, replica)
    angles: FloatArray  # of the first sweep, (example, student, cosine or sine)
    lengths: FloatArray  # outside of the teachers, (example, replica)
    targets: FloatArray  # outputs of the teacher, (example, replica)
    normals: FloatArray  # of all examples: their direction comes first
    uniforms: FloatArray
    fields: FloatArray
    outputs: FloatArray
    slopes: FloatArray
    own: Columns  # generators of the examples
    noise: Columns  # and of the output noise
    unit_fields: FloatArray  # of the students' units in one example
    unit_outputs: FloatArray
    unit_slopes: FloatArray
    gain: FloatArray
    errors: FloatArray  # (replica,)
    second: FloatArray  # sweep of rotations, (student, cosine or sine, replica)


@inlined
def room_for(students: int, k: int, words: Words, like: FloatArray) -> Room:
    """Return memory for examples in a frame of k directions."""
    lanes = words.shape[1]
    size = BLOCK * lanes
    return Room(
        aligned_zeros(k * size, like).reshape(BLOCK, k, lanes),
        aligned_zeros(2 * students * size, like).reshape(BLOCK, students, 2, lanes),
        aligned_zeros(size, like).reshape(BLOCK, lanes),
        aligned_zeros(size, like).reshape(BLOCK, lanes),
        aligned_zeros((k + 1) * size, like),
        aligned_zeros(size, like),
        aligned_zeros(size, like),
        aligned_zeros(size, like),
        aligned_zeros(size, like),
        columns_of(words[EXAMPLE]),
        columns_of(words[NOISE]),
        aligned_zeros(students * lanes, like),
        aligned_zeros(students * lanes, like),
        aligned_zeros(students * lanes, like),
        aligned_zeros(students * lanes, like),
        aligned_zeros(lanes, like),
        aligned_zeros(2 * students * lanes, like).reshape(students, 2, lanes),
    )


@inlined
def _inputs(number: int, frame: Frame, room: Room, words: Words) -> None:
    """Draw the inputs of the block of this number, and their lengths."""
    z, lengths, g, u = room.inputs, room.lengths, room.normals, room.uniforms
    k, lanes = z.shape[1], z.shape[2]
    first, size = number * (k + 2) * BLOCK, BLOCK * lanes
    columns_of_normals(g, room.own, first)
    columns_of_uniforms(u, room.own, first + (k + 1) * BLOCK)
    for i in range(BLOCK):
        for j in range(k):
            for lane in range(0, lanes, EIGHT):
                drawn = load(g, (j * BLOCK + i) * lanes + lane)
                store(z, (i * k + j) * lanes + lane, drawn)
    freedom, last = frame.dim - k, g[k * size :]
    quick_chi_squares(lengths.reshape(size), freedom, last, u)
    for i in range(BLOCK):
        for lane in range(lanes):
            if lengths[i, lane] < 0.0:
                at, spare = i * lanes + lane, words[SPARE, lane]
                spare[2] = np.uint64(number * BLOCK + i) << np.uint64(SPARE_BITS)
                lengths[i, lane] = chi_square(freedom, last[at], u[at], spare)
        first_angles(z, len(frame.teacher), i, lengths, room.angles)


@inlined
def draw(number: int, act: Activations, frame: Frame, room: Room, words: Words) -> None:
    """Draw the examples of the block of this number, and the teacher's outputs."""
    targets, fields, size = room.targets, room.fields, room.fields.size
    _inputs(number, frame, room, words)
    if frame.noise > 0.0:
        columns_of_normals(targets.reshape(size), room.noise, number * BLOCK)
    scale = same_eight(frame.noise)
    for at in range(0, size, EIGHT):
        drawn = load(targets, at) if frame.noise > 0.0 else same_eight(0.0)
        store(targets, at, scale * drawn)
    for n in range(len(frame.teacher)):
        for at in range(0, size, EIGHT):
            field = same_eight(0.0)
            for j in range(n + 1):
                weight = same_eight(frame.teacher[n, j])
                field = field + weight * load(room.normals, j * size + at)
            store(fields, at, field)
        act(fields, room.outputs, room.slopes)
        weight = same_eight(frame.outputs[n])
        for at in range(0, size, EIGHT):
            target = load(targets, at) + weight * load(room.outputs, at)
            store(targets, at, target)


_PIECE = 100_000  # examples a call: some hundredths of a second
_MOST = 64  # replicas that advance together; their examples fit into the cache


class State(NamedTuple):
    """Students of some replicas, and their random numbers."""

    rows: types.Tensor  # (student, coordinate, replica), with one place to spare
    outputs: types.Matrix  # output weights, (student, replica)
    words: types.WordTensor  # (use, replica, 3)


@force_inlined
def _learn(
    at: int, act: Activations, rates: tuple[float, float], frame: Frame, room: Room,
    state: State
) -> None:  # fmt: skip
    """Learn the example at a place of the block."""
    rows, weights = state.rows, state.outputs
    students, width, lanes = rows.shape
    axes = width - 1 - students
    example = at * (axes + students) * lanes
    for i in range(students):
        for lane in range(0, lanes, EIGHT):
            row, field = i * width * lanes + lane, same_eight(0.0)
            for j in range(axes + i + 1):
                weight = load(rows, row + j * lanes)
                field = field + weight * load(room.inputs, example + j * lanes + lane)
            store(room.unit_fields, i * lanes + lane, field)
    act(room.unit_fields, room.unit_outputs, room.unit_slopes)
    for lane in range(0, lanes, EIGHT):
        output = same_eight(0.0)
        for i in range(students):
            g = load(room.unit_outputs, i * lanes + lane)
            output = output + load(weights, i * lanes + lane) * g
        store(room.errors, lane, load(room.targets, at * lanes + lane) - output)
    keep = 1.0 - frame.decay / frame.dim
    kept = same_eight(keep)
    first, second = same_eight(rates[0] / frame.dim), same_eight(rates[1] / frame.dim)
    for i in range(students):
        for lane in range(0, lanes, EIGHT):
            row, unit = i * width * lanes + lane, i * lanes + lane
            error, weight = load(room.errors, lane), load(weights, unit)
            gain = first * (load(room.unit_slopes, unit) * weight * error)
            store(room.gain, unit, gain)
            g = load(room.unit_outputs, unit)
            store(weights, unit, weight + second * (g * error))
            for j in range(axes):
                added = gain * load(room.inputs, example + j * lanes + lane)
                store(rows, row + j * lanes, kept * load(rows, row + j * lanes) + added)
    add(rows, room.gain, keep, at, room.lengths, room.angles, room.second)


@inlined
def _broken(
    state: State, errors: FloatArray, rates: tuple[float, float], progress: Progress
) -> bool:
    """Note the replicas whose numbers are not finite, and return if there are any."""
    found, s = False, state.rows
    for r in range(len(progress.counts)):
        total = abs(errors[r])
        for i in range(s.shape[0]):
            total += abs(state.outputs[i, r])
            for j in range(s.shape[1]):
                total += abs(s[i, j, r])
        if wrong(rates[0], rates[1]) or not total <= HUGE:
            progress.counts[r, FAULT] = 1
            progress.fault[r, 0], progress.fault[r, 1] = rates
            progress.fault[r, 2] = errors[r]
            found = True
    return found


@inlined
def _record(state: State, mark: int, progress: Progress) -> None:
    """Write the coordinates and the output weights of all replicas."""
    s = state.rows
    students, k = s.shape[0], s.shape[1] - 1
    for r in range(len(progress.counts)):
        for i in range(students):
            for j in range(k):
                progress.records[r, mark, i * k + j] = s[i, j, r]
            progress.records[r, mark, students * k + i] = state.outputs[i, r]


@kernel(allocates=True)
def _advance(
    act: Activations,
    rate: Rate,
    second_rate: Rate,
    frame: Frame,
    rotations: Rotations,
    state: State,
    progress: Progress,
) -> None:
    """Advance the replicas of a batch together by a piece of work."""
    students, k = state.rows.shape[0], state.rows.shape[1] - 1
    marks, replicas = progress.marks, len(progress.counts)
    size = float(frame.dim)
    room, teachers = room_for(students, k, state.words, state.outputs), k - students
    examples, mark = progress.counts[0, EXAMPLES], progress.counts[0, RECORDED]
    stop = examples + frame.piece
    drawn, change = np.int64(-1), next_change(rotations, examples)
    while True:
        while mark < marks.size and marks[mark] == examples:
            _record(state, mark, progress)
            mark += 1
        if mark == marks.size or examples >= stop:
            break
        if drawn != examples // BLOCK:
            drawn = examples // BLOCK
            draw(drawn, act, frame, room, state.words)
        if rotations.steady or change == examples:
            turn_rows(state.rows, teachers, rotations, examples, state.words[TURN])
            change = next_change(rotations, examples + 1)
        at = examples % BLOCK
        examples += 1
        clock = Clock(examples / size, math.nan, size)
        rates = rate(clock), second_rate(clock)
        _learn(at, act, rates, frame, room, state)
        total = math.inf if wrong(rates[0], rates[1]) else 0.0
        for lane in range(replicas):
            total += abs(room.errors[lane])
        wanted = examples == marks[mark] or not total <= HUGE
        if wanted and _broken(state, room.errors, rates, progress):
            break
    for r in range(replicas):
        progress.counts[r, EXAMPLES], progress.counts[r, RECORDED] = examples, mark


def _together(experiment: CommitteeExperiment) -> tuple[int, int]:
    """Return how many replicas advance together: a worker's share, up to a limit."""
    share = -(-experiment.run.replicas // (experiment.run.workers or core_count()))
    size = min(-(-share // EIGHT) * EIGHT, _MOST)
    return size, size


def _begin(experiment: CommitteeExperiment, replicas: range) -> Batch:
    """Start some replicas; those beyond the last are simulated and not recorded."""
    committee, count = experiment.committee, -(-len(replicas) // EIGHT) * EIGHT
    students, teachers = committee.units
    batch = Batch(len(replicas), experiment.run.marks, experiment.record_size)
    lanes = range(replicas.start, replicas.start + count)
    rows = aligned_table(students, teachers + students + 1, count)
    rows[:, :-1] = np.moveaxis(experiment.first(lanes), 0, -1)
    outputs = aligned_table(students, count)
    outputs[:] = committee.student_weights[:, None]
    words = np.ascontiguousarray(experiment.generators(lanes).swapaxes(0, 1))
    numbers = experiment.frame(_PIECE // _together(experiment)[0])
    state = experiment.rotations, State(rows, outputs, words)
    given = *experiment.functions, numbers, *state, batch.arrays
    batch.advance = lambda: _advance(*given)
    return batch


ENGINE = Engine("reduced", _begin, together=_together)


def first_students(
    start: tuple[FloatArray, FloatArray], teachers: FloatArray
) -> FloatArray:
    """Return students of given overlaps as rows in the frame, (K, M + K).

    The first M directions of the frame span the teachers, the others the rest of the
    students.
    """
    cross, own = start
    joint = np.block([[teachers, cross.T], [cross, own]])
    return factor("start", joint)[len(teachers) :]


def random_students(
    length: float, shape: tuple[int, int], dim: int, rng: np.random.Generator
) -> FloatArray:
    """Return K students with independent normal weights as rows in the frame.

    ``shape`` is (K, M). Lengths outside of the teachers' span follow the law of
    Bartlett.
    """
    students, teachers = shape
    result = np.tril(rng.standard_normal((students, teachers + students)), teachers)
    own = np.arange(students)
    freedom = np.maximum(dim - teachers - own, 0)
    result[own, teachers + own] = np.sqrt(2 * rng.standard_gamma(freedom / 2))
    return np.asarray(length / np.sqrt(dim) * result)


@dataclass(frozen=True, eq=False)
class CommitteeExperiment(Experiment):
    """A committee, its rates, its teacher's motion, its start and numbers of a run."""

    committee: Committee
    rate: Schedule
    second_rate: Schedule
    motion: Motion | None
    start: Start
    task = "committees.simulate"

    @property
    def record_size(self) -> int:
        """Coordinates of the students in the frame, and their output weights."""
        students, teachers = self.committee.units
        return students * (students + teachers + 1)

    @property
    def rotations(self) -> Rotations:
        """Turns of the teacher."""
        dim = self.run.dim
        return Rotations(dim) if self.motion is None else rotations_of(self.motion, dim)

    @functools.cached_property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """Compiled activation and rates."""
        rates = compiled(self.rate), compiled(self.second_rate)
        return activations(self.committee.activation), *rates

    def failure(self, place: str, fault: FloatArray) -> Exception:
        """Return the error for numbers that are not finite."""
        rate, second, error = (float(value) for value in fault[:3])
        check_rates((self.rate, self.second_rate), (rate, second), place)
        return ArithmeticError(
            f"committee overflows {place}: rate {rate:g} of the schedule, error "
            f"{error:g} of the output; try a smaller rate, or a smaller decay"
        )

    def generators(self, replicas: range) -> Words:
        """Return random numbers for all uses: (replica, use, 3)."""
        return self.run.generators(replicas, 4)

    def first(self, replicas: range) -> FloatArray:
        """Return the first students of some replicas in the frame.

        They have shape (replica, K, axes + K). Students of given overlaps have no
        component along a teacher's velocity.
        """
        if isinstance(self.start, tuple):
            given = first_students(self.start, self.committee.gram)
            return np.repeat(given[None], len(replicas), axis=0)
        return np.array([
            random_students(
                self.start, self.committee.units, self.run.dim,
                np.random.default_rng((self.run.seed, index)),
            )
            for index in replicas
        ])  # fmt: skip

    def frame(self, piece: int) -> Frame:
        """Return the numbers for a kernel that takes so many examples a call."""
        committee = self.committee
        return Frame(
            factor("teachers", committee.gram),
            committee.teacher_weights,
            float(committee.decay),
            float(committee.noise),
            self.run.dim,
            piece,
        )

    @property
    def given(self) -> dict[str, Any]:
        """Arguments of ``simulate``."""
        names = "rate", "second_rate", "motion", "start"
        rest = {name: getattr(self, name) for name in names}
        return {**vars(self.committee), **rest}

    def label(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Return overlaps, output weights and errors with names."""
        students, teachers = self.committee.units
        rows, outputs = np.split(records, [students * (students + teachers)], 2)
        rows = rows.reshape(*records.shape[:2], students, -1)  # in the frame
        along, own = rows[..., :teachers], rows @ rows.swapaxes(2, 3)
        cross = along @ np.ascontiguousarray(self.frame(1).teacher.T)
        theory = CommitteeDrift(self.committee)
        return committee_trace(
            (cross, own, outputs, theory.error(cross, own, outputs)),
            self.run.alpha,
            engine=engine,
            dim=self.run.dim,
            spec=self.spec,
        )


def simulate(
    committee: Committee,
    rate: RateLike,
    *,
    dim: int,
    alpha: float | Iterable[float],
    second_rate: RateLike = 0.0,
    motion: Motion | None = None,
    replicas: int = 1,
    seed: int = 0,
    start: Any = 0.5,
    workers: int | None = None,
    progress: bool | None = None,
) -> xr.Dataset:
    """Simulate students with hidden units that learn from a teacher, exactly.

    Parameters
    ----------
    committee
        Student and teacher.
    rate
        The rate of the first layer: a number, a schedule of ``time``, or any function
        of the clock.
    dim
        Number N of inputs, not below the number of all units.
    alpha
        Numbers of examples per dimension after which the state is recorded, increasing;
        0 is allowed.
    second_rate
        The rate of the second layer, likewise; by default its weights are fixed.
    motion
        The teacher's motion, ``RandomWalk`` or ``Abrupt`` of :mod:`rosenblatt.motions`.
        Its units turn together.
    replicas, seed, workers, progress
        As in :func:`rosenblatt.simulate`.
    start
        Length of random students, over sqrt(N); or first overlaps, a pair R (K, M) and
        Q (K, K).

    Returns
    -------
    xarray.Dataset
        Variables: ``R`` (replica, alpha, student, teacher), ``Q`` (replica, alpha,
        student, other), ``outputs`` (replica, alpha, student) and ``error`` (replica,
        alpha). The error is half the mean squared error on new examples without noise.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> committee = rb.committees.Committee(rb.rules.Erf(), students=2, teachers=2)
    >>> run = rb.committees.simulate(
    ...     committee, rb.schedules.Constant(1.0), dim=1000, alpha=[0, 300])
    >>> bool(run.error[0, 1] < 0.01 * run.error[0, 0])
    True
    """
    part("committee", Committee, committee)
    run = Run.at_alpha(alpha, dim, replicas, seed, workers, progress)
    check_motion(motion)
    experiment = CommitteeExperiment(
        run,
        committee,
        rate_of("rate", rate),
        rate_of("second_rate", second_rate),
        motion,
        starting(start, committee.gram, committee.units[0]),
    )
    if run.dim < sum(committee.units):
        raise ValueError(
            f"dim must be at least {sum(committee.units)}, the number of all units, "
            f"got {run.dim}"
        )
    return ENGINE.run(experiment)
