// What the feed can show, in the order in which its types are listed. Each is declared by a subject (src/subjects.ts).
export const feedKinds = ['post', 'bug', 'feature', 'org', 'workflow', 'automation', 'release'] as const
export type FeedKind = (typeof feedKinds)[number]
