"""The Presidio operator that puts a surrogate in place of a finding."""

from __future__ import annotations

from typing import Any

from presidio_anonymizer.operators import Operator, OperatorType


class SurrogateOperator(Operator):
    """Writes the replacement that the recognizer decided on."""

    NAME = "surrogate"
    REPLACEMENT = "replacement"

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """Returns the replacement, whatever the text."""
        return str((params or {})[self.REPLACEMENT])

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Raises ValueError where no replacement is given."""
        if not params or not isinstance(params.get(self.REPLACEMENT), str):
            raise ValueError("the surrogate operator needs the parameter 'replacement'")

    def operator_name(self) -> str:
        """Returns the name under which Presidio knows this operator."""
        return self.NAME

    def operator_type(self) -> OperatorType:
        """Says that this operator anonymizes."""
        return OperatorType.Anonymize
