// Owners of items and their roles, with what is kept for an account as an owner.
import type { Feature } from '../../content/manifest.ts'

export const ownersFeature = {
  erasure: {
    async steps() {
      const { uploadErasure, slugErasure, membershipErasure } = await import('./erasure.ts')
      return [uploadErasure, slugErasure, membershipErasure]
    },
    last: async () => [(await import('./erasure.ts')).invitationErasure],
  },
} satisfies Feature
