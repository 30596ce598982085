// The search.
import type { Feature } from '../manifest.ts'
import { type BlogTitle, searchHandlers } from './handlers.ts'

export const searchFeature = {
  handlers: ({ blogTitle }: { blogTitle: BlogTitle }) => ({ search: searchHandlers(blogTitle) }),
} satisfies Feature
