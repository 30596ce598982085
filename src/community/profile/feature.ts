// Profiles and pictures of members.
import type { Feature } from '../../content/manifest.ts'
import { lazily } from '../../request/lazily.ts'
import { avatars, profile } from './contract.ts'

export const profileFeature = {
  handlers: {
    profile: lazily(profile, async () => (await import('./handlers.ts')).handlers),
    avatars: lazily(avatars, async () => (await import('./handlers.ts')).avatarHandlers),
  },
} satisfies Feature
