// The blog, as a feature of the application: its posts are files, and its comments are stored.
import type { Feature } from '../../content/manifest.ts'
import { commentable, handlers } from './handlers.ts'

export const blogFeature = {
  handlers: { blog: handlers },
  commentables: [commentable],
} satisfies Feature
