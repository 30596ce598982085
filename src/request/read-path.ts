// What is read in the words of another protocol, at the paths that the protocol has: made for each request of what is stored. Slices declare
// it; surfaces serve it to who may read the area (surfaces/http/read-paths.ts).
import type { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Area } from '../contract/operation.ts'
import type { Dependencies } from './handler.ts'

export type ReadContext = Pick<Dependencies, 'db' | 'blobs' | 'clock' | 'config'>

export interface ReadPath {
  /** As the router has it: `/v0.1/servers/:name`. What it captures and the query are the input; the path wins. */
  path: string
  area: Area
  input: z.ZodObject
  /** Whether its part is on. */
  isThere(config: Pick<Config, 'partsOff'>): boolean
  /** The answer as JSON; throws a Problem for what is refused. */
  read(context: ReadContext, input: unknown): Promise<string>
}
