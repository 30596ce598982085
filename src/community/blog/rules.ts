// How a blog post is written down: front matter between two lines of three dashes, one `name: value` a line, then Markdown.

export interface BlogPost {
  /** The name of the file. */
  slug: string
  title: string
  /** The day it was published, YYYY-MM-DD. */
  date: string
  author: string
  summary: string
  /** Markdown. */
  body: string
}

/** Reads a post; throws an Error that describes the fault in the file. */
export function parsePost(slug: string, text: string): BlogPost {
  const [, front, body] = text.replaceAll('\r\n', '\n').match(/^---\n([\s\S]*?)\n---\n([\s\S]*)$/) ?? []
  if (front === undefined || body === undefined) throw new Error(`The blog post ${slug} has no front matter`)
  const fields = new Map(
    front.split('\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
  const field = (name: string) => {
    const value = fields.get(name)
    if (!value) throw new Error(`The front matter of the blog post ${slug} has no ${name}`)
    return value
  }
  const date = field('date')
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date))) {
    throw new Error(`The date of the blog post ${slug} is ${date}; write it as YYYY-MM-DD`)
  }
  return { slug, title: field('title'), date, author: field('author'), summary: field('summary'), body: body.trim() }
}

/** Newest first; on one day by slug. */
export function inOrder(posts: readonly BlogPost[]): BlogPost[] {
  return posts.toSorted((a, b) => b.date.localeCompare(a.date) || a.slug.localeCompare(b.slug))
}
