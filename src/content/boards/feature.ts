// Boards.

import { lazily } from '../../request/lazily.ts'
import { boards } from '../board-access/contract.ts'
import type { Feature, Things } from '../manifest.ts'
import type { HideableKind } from '../things.ts'

type Services = Pick<Things, 'boarded'> & { powers: { hidings: ReadonlyMap<string, HideableKind> } }

export const boardsFeature = {
  handlers: ({ boarded, powers }: Services) => ({
    boards: lazily(boards, async () => (await import('./handlers.ts')).boardHandlers({ boarded, ...powers })),
  }),
} satisfies Feature
