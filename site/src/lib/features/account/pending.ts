// Writes of agents that wait for a yes.
import type { Answer } from '#lib/api.ts'
import type { SiteWords } from '#lib/language/catalogue.ts'
import { operationWords } from '../../../../../src/language/operation-words.ts'

type Act = Answer<'pendingActs.list'>['items'][number]

export const agentOf = ({ clientName, clientId }: Pick<Act, 'clientName' | 'clientId'>): string =>
  clientName ?? clientId

/** What the agent wants to do, in the words of the reader. */
export const actWords = (t: SiteWords, act: Pick<Act, 'operation' | 'summary'>): string => operationWords(t, act)
