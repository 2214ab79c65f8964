"""A metric for training loops, accumulated over batches and processes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from stakes import _check, bounds, measures
from stakes._errors import InputError, InputTypeError
from stakes.large import Bins, as_bins
from stakes.tensors._device import library_of
from stakes.tensors._door import Names, check_columns
from stakes.tensors._state import Binned, Exact
from stakes.tensors._tensor_table import score_table, unsorted

# Means over the cases, which need no sort.
_MEANS = ("accuracy", "brier_score", "expected_regret", "log_loss", "net_benefit", "skill_score", "weighted_accuracy")
# Measures that recalibrate, which is done on the host.
_RECALIBRATED = ("decompose", "h_measure")
# Measures of order, which take scores of any scale.
_BY_RANK = ("auc", "bounded_auc", "partial_auc", "top_k")

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(measures, name) for name in (*_MEANS, *_RECALIBRATED, *_BY_RANK)
}

_NAMES = Names("target", "preds", "weight")


class TorchMetric:
    """A number of all batches so far, of this process or of all; make one with `torch_metric`.

    It has the methods that users of torchmetrics know, without needing that package: `update`, `compute`, `reset`,
    `merge_state`, `to`, and a call, which updates and returns the number of that batch alone. Copies and pickles work.

    Parameters
    ----------
    name : str
        Name of the number.
    parameters : mapping
        Its parameters.
    bins : Bins or None, keyword-only
        How to put scores into bins; None keeps every case.
    process_group : optional, keyword-only
        Processes to pool, all of them if None.
    sync_on_compute : bool, keyword-only
        Whether to pool processes at all.

    Examples
    --------
    >>> import torch
    >>> from stakes.tensors import torch_metric
    >>> torch_metric("auc", exact=True)
    TorchMetric('auc', exact, 0 cases)
    """

    def __init__(
        self,
        name: str,
        parameters: Mapping[str, Any],
        *,
        bins: Bins | None,
        process_group: Any = None,
        sync_on_compute: bool = True,
    ) -> None:
        self.name, self.parameters, self.bins = name, dict(parameters), bins
        self.process_group, self.sync_on_compute = process_group, sync_on_compute
        self._device: Any = None
        self._state: Any = None

    def __repr__(self) -> str:
        given = "".join(f", {name}={value}" for name, value in self.parameters.items())
        how = "exact" if self.bins is None else f"{len(self.bins):,} bins"
        cases = 0 if self._state is None else len(self._state)
        return f"TorchMetric({self.name!r}{given}, {how}, {cases:,} {'case' if cases == 1 else 'cases'})"

    @property
    def device(self) -> Any:
        """Where the metric is; None until its first batch, whose device it takes."""
        return self._device

    def to(self, device: Any) -> TorchMetric:
        """Move to another device.

        Parameters
        ----------
        device : str or torch.device
            Where to; batches must be there, too.

        Returns
        -------
        TorchMetric
            This metric.

        Examples
        --------
        >>> from stakes.tensors import torch_metric
        >>> torch_metric("auc").to("cpu").device
        device(type='cpu')
        """
        import torch

        self._device = torch.empty(0, device=device).device  # "cuda" has a number
        self._state = None if self._state is None else self._state.on(self._device)
        return self

    def update(self, preds: Any, target: Any, weight: Any = None) -> None:
        """Add a batch.

        Parameters
        ----------
        preds : torch.Tensor
            Probability of a positive for each case (for measures of ranking, if exact, any number). Not logits.
        target : torch.Tensor
            Outcome of each case: 0 or 1, or booleans; of the same shape, which may be any.
        weight : torch.Tensor, optional
            Weight of each case, not negative; a case of weight 0 is absent.

        Returns
        -------
        None
            The batch has been added.

        Examples
        --------
        >>> import torch
        >>> from stakes.tensors import torch_metric
        >>> metric = torch_metric("brier_score")
        >>> metric.update(torch.tensor([0.25, 0.5]), torch.tensor([0, 1]))
        >>> metric.compute().estimate
        0.15625
        """
        columns = {"preds": preds, "target": target} | ({} if weight is None else {"weight": weight})
        for name, column in columns.items():
            if library_of(column) != "torch" or not hasattr(column, "ndim"):
                raise InputTypeError(name, "be a torch tensor", type(column).__name__)
        if len({tuple(column.shape) for column in columns.values()}) == 1:
            columns = {name: column.flatten() for name, column in columns.items()}
            if not len(columns["preds"]):
                return  # the last batch of a process may be empty
        self._check_device(preds)
        found = check_columns(
            columns["target"],
            columns["preds"],
            columns.get("weight"),
            probabilities=self.bins is not None or self.name not in _BY_RANK,
            part=True,
            names=_NAMES,
        )
        self._on_device().add(found)

    def _check_device(self, preds: Any) -> None:
        if self._device is None:
            self._device = preds.device
        if preds.device != self._device:
            raise InputError(
                "preds", f"be on {self._device}, where the metric is", str(preds.device), hint="move it with `to`"
            )

    def _on_device(self) -> Any:
        """Return the state, made on first use."""
        if self._state is None:
            self._state = Exact(self._device) if self.bins is None else Binned(self.bins, self._device)
        return self._state

    def compute(self) -> Any:
        """Return the number of all batches so far, of every process if there are several.

        Returns
        -------
        float or Bounded or tuple
            What the function of this name returns: in `stakes` if exact, else in `stakes.bounds`. Under
            torch.distributed every process must call it, and each gets the same.

        Examples
        --------
        >>> import torch
        >>> from stakes.tensors import torch_metric
        >>> metric = torch_metric("auc")
        >>> metric.update(torch.tensor([0.125, 0.75, 0.5]), torch.tensor([0, 1, 0]))
        >>> metric.compute()
        Bounded(lower=1.0, estimate=1.0, upper=1.0)
        """
        return self._value(self._of_all_processes())

    def _of_all_processes(self) -> Any:
        from torch import distributed

        if not (self.sync_on_compute and distributed.is_available() and distributed.is_initialized()):
            return self._state
        if self._device is None:  # this process has had no batch
            self.to("cuda" if distributed.get_backend(self.process_group) == "nccl" else "cpu")
        return self._on_device().of_all_processes(self.process_group)

    def _value(self, state: Any) -> Any:
        if state is None or not len(state):
            raise InputError((), "`compute` needs at least one case", "none", hint="call `update` first")
        if self.bins is not None:
            return getattr(bounds, self.name)(state.table(), **self.parameters)
        kept = state.joined()
        sample: Any = unsorted if self.name in _MEANS else score_table
        found = sample(kept.label, kept.score, kept.weight)
        return _FUNCTIONS[self.name](found.to_host() if self.name in _RECALIBRATED else found, **self.parameters)

    def reset(self) -> None:
        """Forget every batch.

        Returns
        -------
        None
            The metric is as new, on the same device.

        Examples
        --------
        >>> import torch
        >>> from stakes.tensors import torch_metric
        >>> metric = torch_metric("accuracy")
        >>> metric.update(torch.tensor([0.25]), torch.tensor([1]))
        >>> metric.reset()
        >>> metric.update(torch.tensor([0.75]), torch.tensor([1]))
        >>> metric.compute().estimate
        1.0
        """
        self._state = None

    def merge_state(self, other: TorchMetric) -> None:
        """Add the batches of another metric of the same kind.

        Parameters
        ----------
        other : TorchMetric
            It stays as it is.

        Returns
        -------
        None
            Its batches have been added.

        Examples
        --------
        >>> import torch
        >>> from stakes.tensors import torch_metric
        >>> one, other = torch_metric("accuracy"), torch_metric("accuracy")
        >>> one.update(torch.tensor([0.25]), torch.tensor([1]))
        >>> other.update(torch.tensor([0.75]), torch.tensor([1]))
        >>> one.merge_state(other)
        >>> one.compute().estimate
        0.5
        """
        if not isinstance(other, TorchMetric):
            raise InputTypeError("other", "be a TorchMetric", type(other).__name__)
        mine, its = ((one.name, one.parameters, one.bins) for one in (self, other))
        if mine != its:
            raise InputError("other", "be the same metric", f"{other} for {self}")
        if other._state is None:
            return
        if self._device is None:
            self._device = other._device
        self._on_device().merge(other._state.on(self._device))

    def forward(self, preds: Any, target: Any, weight: Any = None) -> Any:
        """Add a batch, and return the number of this batch alone.

        Parameters
        ----------
        preds, target, weight : torch.Tensor
            As for `update`.

        Returns
        -------
        float or Bounded or tuple
            As for `compute`; processes are not pooled.

        Examples
        --------
        >>> import torch
        >>> from stakes.tensors import torch_metric
        >>> metric = torch_metric("accuracy", exact=True)
        >>> for score in (0.25, 0.75):
        ...     print(metric(torch.tensor([score]), torch.tensor([1])))
        0.0
        1.0
        >>> metric.compute()
        0.5
        """
        batch = TorchMetric(self.name, self.parameters, bins=self.bins)
        batch._device = self._device
        batch.update(preds, target, weight)
        self.merge_state(batch)
        return batch._value(batch._state)

    __call__ = forward


def torch_metric(
    name: str,
    *,
    exact: bool = False,
    bins: Bins | int = 65536,
    process_group: Any = None,
    sync_on_compute: bool = True,
    **parameters: Any,
) -> TorchMetric:
    """Make a metric that accumulates batches of torch tensors, on their device, and pools processes.

    It either puts scores into bins, so that its memory never grows, and gives exact bounds with every number, or keeps
    every case and gives the number itself.

    Parameters
    ----------
    name : str
        One of accuracy, brier_score, expected_regret, log_loss, net_benefit, skill_score, weighted_accuracy, auc,
        partial_auc, decompose, h_measure; if exact also bounded_auc, top_k.
    exact : bool, keyword-only
        Whether to keep every case.
    bins : Bins or int, keyword-only
        How to put scores into bins, if not exact; a number of bins, a power of two, makes even ones.
    process_group : torch.distributed.ProcessGroup, keyword-only, optional
        The processes that `compute` pools; all of them if None.
    sync_on_compute : bool, keyword-only
        Whether `compute` pools the processes of torch.distributed, where it is running.
    **parameters
        Parameters of the number: ``costs="5%..20%"`` for expected_regret, ``cost_range="5%..20%"`` for brier_score, ...

    Returns
    -------
    TorchMetric
        The metric, of no batches yet.

    Examples
    --------
    >>> import torch
    >>> from stakes.tensors import torch_metric
    >>> metric = torch_metric("expected_regret", costs="5%..25%")
    >>> for preds, target in (([0.125, 0.75], [0, 1]), ([0.5, 0.25], [1, 0])):
    ...     metric.update(torch.tensor(preds), torch.tensor(target))
    >>> metric.compute()
    Bounded(lower=0.045703125, estimate=0.045703125, upper=0.045703125)
    """
    _check.choice("name", name, _FUNCTIONS)
    if not (exact or hasattr(bounds, name)):
        raise InputError("name", "be a number that has bounds in bins", repr(name), hint="pass `exact=True` for it")
    function = functools.partial(_FUNCTIONS[name] if exact else getattr(bounds, name), table=None)
    _check.check_parameters(name, function, parameters)
    chosen = None if exact else as_bins(bins)
    _try(TorchMetric(name, parameters, bins=chosen))
    return TorchMetric(
        name, parameters, bins=chosen, process_group=process_group, sync_on_compute=bool(sync_on_compute)
    )


def _try(metric: TorchMetric) -> None:
    """Compute the number of two cases now, so that a bad parameter raises before the end of an epoch."""
    import torch

    heavy = torch.full((2,), 1e100, dtype=torch.float64)  # as many as any `k` may ask for, and no overflow in pairs
    metric.forward(torch.tensor([0.25, 0.75]), torch.tensor([0, 1]), heavy)
