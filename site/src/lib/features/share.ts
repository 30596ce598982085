// Where the pictures of things for links elsewhere are (routes/share).

/** What has a picture below /share: subjects of the community by their type, and what else has a page. Items have theirs beside their pages. */
export const shareTypes = ['post', 'bug', 'feature', 'release', 'org', 'blog', 'person', 'team'] as const
export type ShareType = (typeof shareTypes)[number]

const addressOf = (type: ShareType, id: string) => `/share/${type}/${encodeURIComponent(id)}`

/** The picture of a thing by its id, slug or username, as the metadata of its page names it. */
export const pictureFor = (type: ShareType, id: string, alt: string) => ({
  path: `${addressOf(type, id)}/picture.png`,
  alt,
})

/** The same as SVG, to embed elsewhere. */
export const cardFor = (type: ShareType, id: string): string => `${addressOf(type, id)}/card.svg`
