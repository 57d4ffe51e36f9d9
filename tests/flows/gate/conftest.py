"""The dataset that the gate's tests poison, built once."""

from pathlib import Path

import pytest
from poison import Poison


@pytest.fixture(scope="session")
def poison(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> Poison:
    return Poison(tmp_path_factory.mktemp("poison"), trained)
