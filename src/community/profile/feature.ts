// Profiles and pictures of members.
import type { Feature } from '../../content/manifest.ts'
import { avatarHandlers as avatars, handlers as profile } from './handlers.ts'

export const profileFeature = { handlers: { profile, avatars } } satisfies Feature
