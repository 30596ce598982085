// The title of what a comment is on. A blog post is a file and no document, so its title is asked for.

/** The title of a blog post on a site of this name; undefined where there is none. */
export type BlogTitle = (slug: string, site: string) => Promise<string | undefined>

interface Child {
  parentType?: string | null
  parentId?: string | null
  parentTitle?: string | null
}

/** Undefined where it is a blog post that is gone; null where it has no title. */
export const parentTitleOf = async (
  { parentType, parentId, parentTitle }: Child,
  { blogTitle, site }: { blogTitle: BlogTitle; site: string },
): Promise<string | null | undefined> =>
  parentType === 'blog' ? blogTitle(parentId ?? '', site) : (parentTitle ?? null)
