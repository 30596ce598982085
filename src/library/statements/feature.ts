// Signed statements of versions, and the keys of publishers.

import type { Feature } from '../../content/manifest.ts'
import { keyErasure, statementErasure } from '../erasure.ts'
import { handlers as transparency } from './handlers.ts'
import { handlers as publisherKeys } from './keys-handlers.ts'

export const statementsFeature = {
  handlers: { transparency, publisherKeys },
  erasure: { steps: () => [statementErasure, keyErasure] },
} satisfies Feature
