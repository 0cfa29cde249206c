"""The pictures, as SVG path data on planes of 24 by 24. Holes run against their outline."""

from typing import Final

PATHS: Final[dict[str, str]] = {
    # A sword.
    "warrior": "M12 1L14.5 5V14H18.5V16.8H13.5V20.2H15V23H9V20.2H10.5V16.8H5.5V14H9.5V5Z",
    # A horse's head.
    "knight": "M6.5 23V21C6.5 17.5 11.5 16 11.5 12.8C10 13.8 8.6 13.6 7.6 14.6L6.2 16"
    "L3 13.6L7 6L6.6 2L10 4C15.5 4 19.5 8 19.5 14.5V23Z"
    "M9.2 7.6V9.4H11V7.6Z",
    # A bolt of lightning.
    "wind-mage": "M14.5 1L4.5 13.5H10.5L8 23L19.5 9.5H13L17 1Z",
    # A cross under a halo, and without it.
    "priest": "M10.2 8H13.8V12H18.5V15.5H13.8V23.5H10.2V15.5H5.5V12H10.2Z"
    "M12 .5C16 .5 19 1.7 19 3.4S16 6.3 12 6.3S5 5.1 5 3.4S8 .5 12 .5Z"
    "M12 2.3C9 2.3 7.2 2.9 7.2 3.4S9 4.5 12 4.5S16.8 3.9 16.8 3.4S15 2.3 12 2.3Z",
    "priest-alone": "M10 3H14V8.5H19V12.5H14V22H10V12.5H5V8.5H10Z",
    # A flask.
    "alchemist": "M8.5 1H15.5V3.5H14.3V9L20.5 19.5C21.5 21.3 20.5 23 18.5 23H5.5"
    "C3.5 23 2.5 21.3 3.5 19.5L9.7 9V3.5H8.5Z"
    "M10.4 13L7.4 18H16.6L13.6 13Z",
    # A pistol.
    "duelist": "M1.5 7H19V5.5H21V7H22.5V12H14.5C14.5 14.5 13.5 16 11 16H9.2L8 21H2L4.5 12H1.5Z"
    "M9.8 12L9.3 14.2H11C12 14.2 12.4 13.2 12.4 12Z",
    # A crown.
    "battle-mage": "M1.5 6L7 11.5L12 2L17 11.5L22.5 6L20.5 17.5H3.5ZM3.5 19H20.5V22.5H3.5Z",
    # A bone.
    "skeleton": "M7 2A3 3 0 0 1 9.6 6.6L17.4 14.4A3 3 0 1 1 20 19.4A3 3 0 1 1 14.6 17.2"
    "L6.8 9.4A3 3 0 1 1 4 4.4A3 3 0 0 1 7 2Z",
    # A hand that reaches up.
    "zombie": "M7 23L3 13.5L5 12.2L7.5 15V4.5H9.8V12H10.8V1.5H13.2V12H14.2V3H16.6V12.5H17.5V6H19.8"
    "V17L17 23Z",
    # A bandaged head.
    "mummy": "M12 1C17 1 20 4.5 20 10C20 17 17 23 12 23S4 17 4 10C4 4.5 7 1 12 1Z"
    "M5.8 6.8V8.4L18.4 6V4.4ZM5.6 11V13.2H10.6V11ZM13.4 11V13.2H18.4V11Z"
    "M6.6 17.2V18.8L17.6 16.4V14.8Z",
    # A gravestone.
    "tomb-keeper": "M5 20V9C5 4.5 8 1.5 12 1.5S19 4.5 19 9V20H21.5V23H2.5V20Z"
    "M10.9 6V8.4H8.5V10.6H10.9V16H13.1V10.6H15.5V8.4H13.1V6Z",
    # A hood.
    "dark-priest": "M12 .8C6.5 4.5 3.5 11 3.5 18V23H20.5V18C20.5 11 17.5 4.5 12 .8Z"
    "M12 7.5C9 9.5 7.8 12.5 7.8 15.5C7.8 18 9.5 19.8 12 19.8S16.2 18 16.2 15.5"
    "C16.2 12.5 15 9.5 12 7.5Z",
    # A skull under a crown.
    "necromancer": "M4 1L8 4L12 .5L16 4L20 1V7H4Z"
    "M12 8C17 8 20 10.5 20 14.2C20 16.6 18.8 18 17 18.8V23H7V18.8C5.2 18 4 16.6 4 14.2"
    "C4 10.5 7 8 12 8Z"
    "M7 13.2V16.4H10.4V13.2ZM13.6 13.2V16.4H17V13.2ZM11.2 17.5V19.5H12.8V17.5Z",
    # A flame.
    "firebrew": "M12.5 .5C13.5 6 20 9 20 15.5A8 8 0 0 1 4 15.5C4 12 6 9.8 7.4 7.5"
    "C8 9.5 8.8 10.8 10.2 11C12.4 8 11 4 12.5 .5Z",
}
