// Who is here.
import type { Feature } from '../manifest.ts'
import { handlers } from './handlers.ts'

export const membersFeature = { handlers: { members: handlers } } satisfies Feature
