// A blog post as a subject: a file that comes with Guildhall, which people comment on.

import { defineSubject } from '../../content/subject.ts'
import { comments } from '../../contract/capabilities.ts'

export const blogPost = defineSubject({
  type: 'blog',
  one: 'a blog post',
  many: 'blog posts',
  path: '/community/blog',
  kinds: [],
  can: [comments('postSlug')],
  permissions: {},
})
