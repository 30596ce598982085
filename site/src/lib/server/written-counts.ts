// How many entries of the feed people and agents wrote, of one kind or of all.
import type { Answer } from '#lib/api.ts'
import type { writers } from '../../../../src/contract/fields.ts'
import { found } from './answers.ts'

type Counts = Answer<'feed.counts'>['counts']

/** The numbers of each kind, by who wrote them. */
export async function countsByWriter({ feed }: App.Locals['api']): Promise<Record<(typeof writers)[number], Counts>> {
  const [people, agents] = await Promise.all((['people', 'agents'] as const).map((by) => found(feed.counts({ by }))))
  return { people: people!.counts, agents: agents!.counts }
}

/** Of one kind, or of all. */
export const numberOf = (counts: Counts, type?: string): number =>
  Object.entries(counts).reduce((sum, [kind, count]) => (type === undefined || kind === type ? sum + count : sum), 0)
