// Keeps the write-ahead log for continuous backups that are away, up to a length: what they have not shipped is in it. A backup that runs holds
// the log itself. Between the two no moment is without a hold: the log can only start over once all of it is copied, and before anything is copied
// the log is held here, until it is sure that each backup runs.
import { dismiss, isFollowing, marksBeside } from './followers.ts'
import { LogHold } from './log-hold.ts'
import { FRAME_BYTES } from './log-view.ts'

export interface KeptLogOptions {
  /** How long the log may become for a backup that is away. */
  mostBytes: number
  /** Called when a backup that is away lost its place, with the reason. */
  onLetGo: (reason: string) => void
}

export class KeptLog {
  readonly #path: string
  readonly #options: KeptLogOptions
  #hold: LogHold | undefined

  constructor(path: string, options: KeptLogOptions) {
    this.#path = path
    this.#options = options
  }

  /** To be called before anything of the log is copied. */
  keep(): void {
    const { mostBytes } = this.#options
    if (marksBeside(this.#path).length === 0) {
      this.#hold?.end()
      return
    }
    this.#hold ??= new LogHold(this.#path)
    if (this.#hold.look().frames * FRAME_BYTES <= mostBytes) this.#hold.renew()
    else this.letGo(`it was away for ${Math.round(mostBytes / 1024 ** 2)} MB of changes`)
  }

  /** To be called after the copying. */
  leave(): void {
    if (this.#hold && marksBeside(this.#path).every(isFollowing)) this.#hold.end()
  }

  /** Backups that are away begin again when they are back. */
  letGo(reason: string): void {
    for (const mark of marksBeside(this.#path)) if (dismiss(mark)) this.#options.onLetGo(reason)
    this.#hold?.end()
  }

  close(): void {
    this.#hold?.close()
    this.#hold = undefined
  }
}
