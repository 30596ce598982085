// What a search finds: everything of the feed, and what is around it. The place in this list is part of the numbers of stored
// documents (src/search/queries.ts): a new type, of the feed or not, comes last.
export const searchTypes = [
  ...(['comment', 'person', 'label', 'tag'] as const),
  ...(['post', 'bug', 'feature', 'org', 'workflow', 'automation', 'release'] as const),
  'team',
] as const
export type SearchType = (typeof searchTypes)[number]
