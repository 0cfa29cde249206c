"""The checks of `emeth doctor`, on a log and the files beside it. They write nothing."""
