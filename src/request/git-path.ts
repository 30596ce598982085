// A repository of git that is made of what is stored, for reading. Slices declare it; surfaces serve it (surfaces/http/git-paths.ts).
import type { Config } from '../config/config.ts'
import type { Area } from '../contract/operation.ts'
import type { Repository } from '../formats/git/upload-pack.ts'
import type { ReadContext } from './read-path.ts'

export interface GitPath {
  /** Of the repository; the paths of the protocol are below it. */
  path: string
  area: Area
  /** Whether its part is on. */
  isThere(config: Pick<Config, 'partsOff'>): boolean
  /** As it is now. */
  repository(context: ReadContext): Promise<Repository>
}
