// The kinds of subjects: their words, icons, vote paths and comments.
import type { IconName } from './icons.ts'

interface KindWords {
  word: string
  many: string
  icon: IconName
  /** The API's folder below /api/community. */
  votes: string
  comments: boolean
}

export const kinds = {
  post: { word: 'Post', many: 'Posts', icon: 'post', votes: 'posts', comments: false },
  bug: { word: 'Bug', many: 'Bugs', icon: 'bug', votes: 'bugs', comments: true },
  feature: { word: 'Feature request', many: 'Features', icon: 'feature', votes: 'features', comments: false },
  org: { word: 'Org', many: 'Orgs', icon: 'org', votes: 'orgs', comments: true },
  workflow: { word: 'Workflow', many: 'Workflows', icon: 'workflow', votes: 'library', comments: true },
  automation: { word: 'Automation', many: 'Automations', icon: 'automation', votes: 'library', comments: true },
} as const satisfies Record<string, KindWords>

export type Kind = keyof typeof kinds
