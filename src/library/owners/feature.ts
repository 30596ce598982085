// Owners of items and their roles, with what is kept for an account as an owner.
import type { Feature } from '../../content/manifest.ts'
import { invitationErasure, membershipErasure, slugErasure, uploadErasure } from '../erasure.ts'

export const ownersFeature = {
  erasure: { steps: () => [uploadErasure, slugErasure, membershipErasure], last: () => [invitationErasure] },
} satisfies Feature
