// What operations say in the words of another protocol, at the paths that the protocol has: each request is a call of an operation with the
// credentials of the request, so its access is that of the operation. Slices declare it; surfaces serve it (surfaces/http/asked-paths.ts).
import type { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Area } from '../contract/operation.ts'

/** Calls an operation by its name; throws its Problem. */
export type Ask = (operation: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>

export interface AskedPath {
  /** As the router has it. What it captures and the query are the input; the path wins. */
  path: string
  area: Area
  /** It takes anything: what is wrong is said by the operation, after it decided on access. */
  input: z.ZodObject
  /** Whether its part is on. */
  isThere(config: Pick<Config, 'partsOff'>): boolean
  /** What is sent as JSON, or where else it is, below the origin. */
  answer(ask: Ask, input: unknown): Promise<object | { location: string }>
}
