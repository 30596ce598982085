// The kinds of things there are: what they are called, where they are voted on, whether they have comments.
import type { IconName } from './icons.ts'

interface KindWords {
  word: string
  icon: IconName
  /** The API's folder below /api/community. */
  votes: string
  comments: boolean
}

export const kinds = {
  post: { word: 'Post', icon: 'post', votes: 'posts', comments: false },
  bug: { word: 'Bug', icon: 'bug', votes: 'bugs', comments: true },
  feature: { word: 'Feature request', icon: 'feature', votes: 'features', comments: false },
  org: { word: 'Org', icon: 'org', votes: 'orgs', comments: true },
  workflow: { word: 'Workflow', icon: 'workflow', votes: 'library', comments: true },
  automation: { word: 'Automation', icon: 'automation', votes: 'library', comments: true },
} as const satisfies Record<string, KindWords>

export type Kind = keyof typeof kinds
