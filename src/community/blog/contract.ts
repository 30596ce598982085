// The blog: posts are files that come with Guildhall, comments are the community's (interface.md, section 4, Blog comments).
import { z } from 'zod'
import { open, write } from '../../content/area.ts'
import { Comment, CommentBody, commentListInput } from '../../content/comments/contract.ts'
import { Reason } from '../../content/moderation-contract.ts'
import { Id, listInput, listOf, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'

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
  })
  .meta({ id: 'BlogEntry' })

const BlogPost = BlogEntry.extend({
  body: textLike('Guildhall is a community, a library and an authorization server.').meta({ description: 'Markdown' }),
}).meta({ id: 'BlogPost' })

const BlogComment = Comment.extend({ postSlug: Slug }).meta({ id: 'BlogComment' })

export const blog = {
  list: {
    summary: 'Blog posts, newest first',
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
  comments: {
    summary: 'The comments on a blog post, oldest first',
    method: 'GET',
    path: '/community/blog/{slug}/comments',
    access: open,
    input: commentListInput.extend({ slug: Slug }),
    output: listOf(BlogComment),
    problems: ['not_found'],
  },
  comment: {
    summary: 'Comment on a blog post',
    method: 'POST',
    path: '/community/blog/{slug}/comments',
    access: write,
    budget: 'comments',
    input: z.object({ slug: Slug, body: CommentBody }),
    output: BlogComment,
    status: 201,
    problems: ['not_found'],
  },
  deleteComment: {
    summary: 'Remove a comment from a blog post: its author, or a moderator',
    method: 'DELETE',
    path: '/community/blog/{slug}/comments/{commentId}',
    access: write,
    input: z.object({ slug: Slug, commentId: Id, reason: Reason }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'forbidden'],
  },
} satisfies Contract
