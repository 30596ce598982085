// Writes of agents that wait for a yes.
import type { Answer } from '#lib/api.ts'

type Act = Answer<'pendingActs.list'>['items'][number]

export const agentOf = ({ clientName, clientId }: Pick<Act, 'clientName' | 'clientId'>): string =>
  clientName ?? clientId
