// Everything a caller can do with a post (interface.md, section 4, Posts).

import { editOperations } from '../../content/edits/contract.ts'
import { labelFields, labelOperations } from '../../content/labels/labelling-contract.ts'
import { mergeFields, mergeOperations } from '../../content/merging/contract.ts'
import {
  activeOrder,
  boardFields,
  boardFilter,
  boardInput,
  countsOperation,
  createOperation,
  discussionOperations,
  entryFieldsOf,
  importedFields,
  pinnedFilter,
  readOperations,
  threadFields,
} from '../../content/subjects/contract.ts'
import type { Contract } from '../../contract/operation.ts'
import { Post, post, postActions } from './subject.ts'

const PostEntry = Post.extend({
  ...entryFieldsOf(post),
  ...mergeFields,
  ...labelFields,
  ...threadFields,
  ...boardFields,
  ...importedFields,
}).meta({
  id: 'PostEntry',
})

export const posts = {
  ...readOperations(post, PostEntry, { ...activeOrder, ...pinnedFilter, ...boardFilter }),
  ...countsOperation(post),
  ...createOperation(post, {
    summary: 'Write a post',
    synonyms: ['start a discussion', 'new thread', 'ask a question'],
    input: Post.pick({ title: true, body: true }).extend(boardInput),
    output: Post,
  }),
  ...editOperations(post, { fields: Post.pick({ title: true, body: true }), output: Post, audit: postActions.edit }),
  ...mergeOperations(post, { audit: postActions.merge, undoAudit: postActions.unmerge }),
  ...discussionOperations(post),
  ...labelOperations(post, postActions),
} satisfies Contract
