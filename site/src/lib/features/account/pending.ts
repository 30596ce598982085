// Writes of agents that wait for a yes, in words.
import type { Answer } from '#lib/api.ts'

type Act = Answer<'pendingActs.list'>['items'][number]

export const stateWords: Readonly<Record<Act['state'], string>> = {
  waiting: 'Waits for your yes',
  approved: 'You agreed; it is being made',
  made: 'Made',
  failed: 'You agreed, and a check refused it',
  refused: 'You refused it',
  expired: 'Expired without a decision',
  ended: 'Ended with the access of the app',
}

export const agentOf = ({ clientName, clientId }: Pick<Act, 'clientName' | 'clientId'>): string =>
  clientName ?? clientId
