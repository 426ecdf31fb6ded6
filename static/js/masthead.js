// On a narrow window the navigation scrolls sideways: the door of this page is brought into view.
const nav = document.querySelector(".nav");
const here = nav?.querySelector("[aria-current]");
if (here) nav.scrollLeft = here.offsetLeft - nav.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;
