// Everything a caller can do with a post (interface.md, section 4, Posts).
import { write } from '../../content/area.ts'
import { deleteOperation, entryFieldsOf, readOperations, voteOperation } from '../../content/subject-contract.ts'
import type { Contract } from '../../contract/operation.ts'
import { Post, post } from './subject.ts'

const PostEntry = Post.extend(entryFieldsOf(post)).meta({ id: 'PostEntry' })

export const posts = {
  ...readOperations(post, PostEntry),
  create: {
    summary: 'Write a post',
    method: 'POST',
    path: '/community/posts',
    tool: { name: 'create_post', known: true },
    access: write,
    budget: 'topics',
    input: Post.pick({ title: true, body: true }),
    output: Post,
    status: 201,
  },
  ...deleteOperation(post),
  ...voteOperation(post),
} satisfies Contract
