"""The checks of `emeth doctor`: a log and the files beside it. Nothing is written."""
