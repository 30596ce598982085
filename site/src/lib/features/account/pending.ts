// Writes of agents that wait for a yes.
import type { Answer } from '#lib/api.ts'
import type { SiteWords } from '#lib/language/catalogue.ts'
import { shownText } from '../../../../../src/formats/visible.ts'
import { operationWords } from '../../../../../src/language/operation-words.ts'

type Act = Answer<'pendingActs.list'>['items'][number]

export const agentOf = ({ clientName, clientId }: Pick<Act, 'clientName' | 'clientId'>): string =>
  clientName ?? clientId

/** What the agent wants to do, in the words of the reader. */
export const actWords = (t: SiteWords, act: Pick<Act, 'operation' | 'summary'>): string => operationWords(t, act)

/** A value as pages show it: what is not seen is written out, so that nothing is agreed to that was not read. */
export const valueText = (value: unknown): string =>
  shownText(typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))
