// What a command of the operator prints: sentences and a line of progress for people, or one JSON value for programs.
import { asInstalled } from '../runtime/installation.ts'

/** How often a line of progress is written again, in milliseconds. */
const EVERY = 100
const ERASE_LINE = '\r\u001b[2K'

export interface Output {
  /** A sentence for people; nothing with `--json`. */
  say(sentence: string): void
  /** A sentence for people about what is wrong, on standard error. */
  complain(sentence: string): void
  /** The result: a JSON value with `--json`, otherwise the sentence. */
  result(value: object, sentence: string): void
  /** What is under way, on one line of a terminal, with a bar where the whole is known; nothing elsewhere. */
  progress: Progress
}

/** `share` is how much of it is done, from 0 to 1. */
export type Progress = (sentence: string, share?: number) => void

const BAR_WIDTH = 30

/** The line of progress: the bar is as full as `share` says. */
export function lineOf(sentence: string, share?: number): string {
  if (share === undefined || !Number.isFinite(share)) return sentence
  const part = Math.min(1, Math.max(0, share))
  const full = Math.round(part * BAR_WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${String(Math.floor(part * 100)).padStart(3)} % ${sentence}`
}

export function openOutput({ isJson }: { isJson: boolean }): Output {
  const isShown = Boolean(process.stderr.isTTY) && !isJson
  let shownAt = 0
  let isOnLine = false
  const clear = () => {
    if (isOnLine) process.stderr.write(ERASE_LINE)
    isOnLine = false
  }
  return {
    say(sentence) {
      clear()
      if (!isJson) console.log(asInstalled(sentence))
    },
    complain(sentence) {
      clear()
      console.error(asInstalled(sentence))
    },
    result(value, sentence) {
      clear()
      console.log(isJson ? JSON.stringify(value) : asInstalled(sentence))
    },
    progress(sentence, share) {
      const now = performance.now()
      if (!isShown || now - shownAt < EVERY) return
      shownAt = now
      isOnLine = true
      process.stderr.write(`${ERASE_LINE}${lineOf(sentence, share)}`)
    },
  }
}
