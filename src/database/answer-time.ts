// How long a server takes to answer: an exponentially weighted mean, in milliseconds.

/** What one read moves the mean by. */
const READ_WEIGHT = 1 / 8
/** And one small question, four times a second: what a read has taught is forgotten in about ten seconds. */
const QUESTION_WEIGHT = 1 / 40

export class AnswerTime {
  #mean: number | undefined

  /** 0 until something was learned: what is not known yet is tried. */
  get milliseconds(): number {
    return this.#mean ?? 0
  }

  /** A read took so long. */
  learnRead(milliseconds: number): void {
    this.#learn(milliseconds, READ_WEIGHT)
  }

  /** A small question took so long: so a server without reads is known too, and one that was slow is tried again. */
  learnQuestion(milliseconds: number): void {
    this.#learn(milliseconds, QUESTION_WEIGHT)
  }

  #learn(milliseconds: number, weight: number): void {
    this.#mean = this.#mean === undefined ? milliseconds : this.#mean + (milliseconds - this.#mean) * weight
  }
}
