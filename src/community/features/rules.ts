// What the roadmap shows.
import type { Feature } from './subject.ts'

/** The statuses, in order. */
export const columns = ['open', 'planned', 'shipped'] as const satisfies Feature['status'][]

/** Requests of each status. */
export const MAX_COLUMN = 20
