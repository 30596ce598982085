// The posts that come with Guildhall, read from content/blog when first asked for and then kept: they change with a release.
import { readdir, readFile } from 'node:fs/promises'
import { Problem } from '../../contract/problem.ts'
import { inNameOf } from '../../language/named.ts'
import { type BlogPost, inOrder, parsePost } from './rules.ts'

const folder = new URL('../../../content/blog/', import.meta.url)

let posts: Promise<ReadonlyMap<string, BlogPost>> | undefined

/** Every post by its slug, newest first. */
export function allPosts(): Promise<ReadonlyMap<string, BlogPost>> {
  posts ??= readPosts().catch((error: unknown) => {
    posts = undefined
    throw error
  })
  return posts
}

export async function getPost(slug: string): Promise<BlogPost> {
  const post = (await allPosts()).get(slug)
  if (!post) throw new Problem('not_found', 'No such blog post')
  return post
}

async function readPosts(): Promise<ReadonlyMap<string, BlogPost>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.md'))
  const read = await Promise.all(
    files.map(async (name) => parsePost(name.slice(0, -'.md'.length), await readFile(new URL(name, folder), 'utf8'))),
  )
  return new Map(inOrder(read).map((post) => [post.slug, post]))
}

/** The title of a post, which is a file, on a site of this name; undefined where there is none. */
export async function titleOf(slug: string, site: string): Promise<string | undefined> {
  const post = (await allPosts()).get(slug)
  return post && inNameOf(site, post.title)
}
