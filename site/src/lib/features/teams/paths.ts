// Where the site shows teams.

export const teamPath = (slug: string) => `/teams/${slug}`

/** The same page of a team under the slug that it has now. */
export const followedSlug = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>, slug: string) =>
  pathname.replace(/^\/teams\/[^/]+/, teamPath(slug)) + search
