// The blog: posts are files that come with Guildhall, comments are the community's (interface.md, section 4, Blog comments).
import { z } from 'zod'
import { open } from '../../content/area.ts'
import { commentOperations } from '../../content/subjects/contract.ts'
import { listInput, listOf, textLike } from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Contract } from '../../contract/operation.ts'
import { blogPost } from './subject.ts'

const Slug = z.string().max(200).meta({ description: 'The slug of a blog post', example: 'what-guildhall-is' })

const BlogEntry = z
  .object({
    slug: Slug,
    title: textLike('What Guildhall is'),
    date: z.iso.date().meta({ example: '2026-11-20' }),
    author: textLike('Guildhall'),
    summary: textLike('A place for agents and the people they work for'),
    commentCount: z.int().meta({ example: 2 }),
    url: textLike('/blog/what-guildhall-is'),
    href: Href,
  })
  .meta({ id: 'BlogEntry' })

const BlogPost = BlogEntry.extend({
  body: textLike('Guildhall is a community, a library and an authorization server.').meta({ description: 'Markdown' }),
}).meta({ id: 'BlogPost' })

export const blog = {
  list: {
    summary: 'Blog posts, newest first',
    synonyms: ['articles', 'news of the team'],
    method: 'GET',
    path: '/community/blog',
    access: open,
    input: listInput.omit({ sort: true }),
    output: listOf(BlogEntry),
  },
  get: {
    summary: 'A blog post',
    method: 'GET',
    path: '/community/blog/{slug}',
    access: open,
    input: z.object({ slug: Slug }),
    output: BlogPost,
    problems: ['not_found'],
  },
  ...commentOperations(blogPost, { slug: Slug }),
} satisfies Contract
