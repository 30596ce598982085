// Teams, as a feature of the application.

import type { Feature } from '../../content/manifest.ts'
import { teamErasure } from '../erasure.ts'
import { teamHandlers } from './handlers.ts'
import { teamHiding } from './hiding.ts'

export const teamsFeature = {
  handlers: { teams: teamHandlers },
  hidings: [teamHiding],
  erasure: { steps: () => [teamErasure] },
} satisfies Feature
