// Where a reading of the log ended, as text.
import { z } from 'zod'
import type { Place } from './wal-frames.ts'

/** Where a reading ended, from which another process may go on. */
export interface Position {
  place: Place | undefined
  /** The last of the names. */
  named: number
}

/** The header in hex. */
export const PositionOf = z.object({
  header: z.string(),
  frame: z.int(),
  sums: z.tuple([z.number(), z.number()]),
  named: z.int(),
})

type PlainPosition = z.infer<typeof PositionOf>

/** Undefined before there was a log. */
export const plainPosition = ({ place, named }: Position): PlainPosition | undefined =>
  place && { header: place.header.toString('hex'), frame: place.frame, sums: [...place.sums], named }

export const positionIn = ({ header, frame, sums, named }: PlainPosition): Position => ({
  place: { header: Buffer.from(header, 'hex'), frame, sums },
  named,
})
