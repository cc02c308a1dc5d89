/**
 * Keeps a list that grows at its end in view for a reader who is there, and leaves one alone who has
 * scrolled up or looks elsewhere; counts what they have not seen.
 */

const SLACK = 24; // pixels from the end within which a reader counts as being there

export class Follow {
  /** `onFresh(count)` is called whenever the number of unseen lines changes. */
  constructor(scroller, onFresh) {
    Object.assign(this, { scroller, onFresh });
    this.fresh = 0;
    this.sticks = true;
    this.isSeen = false;
    scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    new IntersectionObserver((entries) => this.looked(entries.at(-1))).observe(scroller);
    new ResizeObserver(() => this.settle()).observe(scroller);
    document.addEventListener("visibilitychange", () => this.settle());
  }

  isAtEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight <= SLACK;
  }

  scrolled() {
    if (!this.isSeen) return; // a list that is put away loses its place by itself
    this.sticks = this.isAtEnd();
    this.settle();
  }

  looked({ isIntersecting }) {
    this.isSeen = isIntersecting;
    this.settle();
  }

  /** Lines were added or taken away; so many of them are news to the reader. */
  grew(news) {
    this.count(this.fresh + news);
    this.settle();
  }

  /** Goes to the end if that is where the reader is; what is in view there has been seen. */
  settle() {
    if (!this.sticks) return;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    if (this.isSeen && document.visibilityState === "visible") this.count(0);
  }

  toEnd() {
    this.sticks = true;
    this.settle();
  }

  count(fresh) {
    if (fresh === this.fresh) return;
    this.fresh = fresh;
    this.onFresh(fresh);
  }
}
