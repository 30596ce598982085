// What hangs on things: votes, comments, revisions, the feed, names, threads, merging, boards, pictures and drafts.
import type { Room } from './room.ts'

export const talk: Room = {
  tables: {
    vote: `
      "targetId" text not null, "userId" text not null, "value" integer not null,
      constraint "vote_key" primary key ("targetId", "userId")
    `,
    comment: `
      "id" text not null primary key, "targetId" text not null, "targetType" text not null, "authorId" text not null,
      "body" text not null, "createdAt" text not null, "parentId" text, "thread" text not null default '',
      "replyCount" integer not null default 0, "score" integer not null default 0, "thumbs_up" integer not null default 0,
      "heart" integer not null default 0, "hooray" integer not null default 0, "laugh" integer not null default 0,
      "confused" integer not null default 0, "eyes" integer not null default 0, "editedAt" text,
      "revisionCount" integer not null default 0, "hidden" integer not null default 0, "viaClientId" text
    `,
    reaction: `
      "commentId" text not null references "comment" ("id") on delete cascade, "userId" text not null, "reaction" text not null,
      constraint "reaction_key" primary key ("commentId", "userId", "reaction")
    `,
    revision: `
      "id" text not null primary key, "targetType" text not null, "targetId" text not null, "thingId" text not null,
      "editorId" text not null, "changes" text not null, "createdAt" text not null, "viaClientId" text
    `,
    statusChange: `
      "id" text not null primary key, "targetType" text not null, "targetId" text not null, "actorId" text not null,
      "from" text not null, "to" text not null, "reason" text, "createdAt" text not null, "viaClientId" text
    `,
    feedEntry: `
      "id" text not null primary key, "type" text not null, "title" text not null, "preview" text not null, "authorId" text not null,
      "url" text not null, "score" integer not null default 0, "commentCount" integer not null default 0, "createdAt" text not null,
      "number" integer, "viaClientId" text
    `,
    counter: `"key" text not null constraint "tally_pkey" primary key, "count" integer not null default 0`,
    slug: `
      "kind" text not null, "slug" text not null, "base" text not null, "targetId" text not null,
      constraint "slug_key" primary key ("kind", "slug")
    `,
    keptSlug: `"kind" text not null, "slug" text not null, "ownerId" text not null, primary key ("kind", "slug")`,
    goneVersion: `
      "kind" text not null, "slug" text not null, "precedence" text not null, "version" text not null, "sha256" text not null,
      primary key ("kind", "slug", "precedence")
    `,
    threadState: `
      "id" text not null primary key, "type" text not null, "pinnedAt" text, "lockedAt" text,
      "solutionId" text references "comment" ("id") on delete set null, "dueOn" text
    `,
    assignment: `"thingId" text not null, "userId" text not null, "createdAt" text not null, primary key ("thingId", "userId")`,
    threadChange: `
      "id" text not null primary key, "targetType" text not null, "targetId" text not null, "actorId" text not null,
      "viaClientId" text, "action" text not null, "accountId" text, "commentId" text, "dueOn" text, "reason" text,
      "createdAt" text not null, "labelId" text, "fromId" text
    `,
    threadVisit: `
      "userId" text not null references "user" ("id") on delete cascade, "thingId" text not null, "seenAt" text not null,
      "bookmarkedAt" text, "beforeAt" text, primary key ("userId", "thingId")
    `,
    mergedThing: `
      "id" text not null primary key, "type" text not null, "number" integer not null unique, "targetId" text not null,
      "title" text not null, "text" text not null, "authorId" text not null, "createdAt" text not null, "editedAt" text,
      "status" text, "revisionCount" integer not null, "statusChangeCount" integer not null, "labels" text not null,
      "mergedBy" text not null, "mergedAt" text not null, "reason" text, "doneAt" text, "directId" text, "record" text,
      "hidden" integer not null default 0, "targetEdits" integer not null default 0, "targetStatusChanges" integer not null default 0
    `,
    mergedPart: `
      "mergedId" text not null, "kind" text not null, "partId" text not null, "isAdded" integer not null, "value" text,
      primary key ("mergedId", "kind", "partId")
    `,
    mergeUndo: `
      "id" text not null primary key, "type" text not null, "targetId" text not null, "undoneBy" text not null, "reason" text,
      "startedAt" text not null
    `,
    feedback: `
      "thingId" text primary key, "type" text not null, "itemId" text not null, "number" integer not null,
      foreign key ("itemId", "number") references "itemVersion" ("itemId", "number") on delete cascade
    `,
    versionCloses: `
      "id" text primary key, "itemId" text not null, "number" integer not null, "accountId" text not null, "pending" text not null,
      foreign key ("itemId", "number") references "itemVersion" ("itemId", "number") on delete cascade
    `,
    board: `
      "id" text primary key, "slug" text not null unique, "name" text not null, "description" text not null,
      "position" integer not null, "readers" text not null, "writers" text not null, "moderators" text not null,
      "statuses" text not null, "labels" text, "createdAt" text not null, "updatedAt" text not null, "archivedAt" text, "agents" text
    `,
    boardMember: `
      "boardId" text not null, "userId" text not null references "user" ("id") on delete cascade, "createdAt" text not null,
      primary key ("boardId", "userId")
    `,
    boardInvitation: `"linkId" text primary key, "boardId" text not null`,
    sharedFilter: `
      "id" text primary key, "boardId" text references "board" ("id") on delete cascade,
      "userId" text references "user" ("id") on delete set null, "name" text not null, "path" text not null, "createdAt" text not null
    `,
    textImage: `
      "id" text primary key, "uploaderId" text not null, "thingId" text, "contentType" text not null, "size" integer not null,
      "sha256" text not null, "gone" integer not null default 0, "createdAt" text not null
    `,
    formDraft: `
      "id" text primary key, "userId" text not null references "user" ("id") on delete cascade, "path" text not null,
      "form" text not null, "fields" text not null, "updatedAt" text not null, unique ("userId", "path", "form")
    `,
  },
  byKey: ['vote', 'counter', 'threadState', 'assignment', 'threadChange', 'mergedPart'],
  indexes: {
    vote: {
      vote_userId_targetId: '("userId", "targetId")',
    },
    comment: {
      comment_targetId: '("targetId", "createdAt", "id", "hidden")',
      comment_targetId_score_createdAt_id: '("targetId", "score", "createdAt", "id", "hidden")',
      comment_thread_createdAt_id: '("thread", "createdAt", "id", "hidden")',
      comment_thread_score_createdAt_id: '("thread", "score", "createdAt", "id", "hidden")',
      comment_of_author: '("authorId", "id")',
    },
    reaction: {
      reaction_userId_commentId: '("userId", "commentId")',
    },
    revision: {
      revision_targetId_createdAt_id: '("targetId", "createdAt", "id")',
      revision_thingId: '("thingId")',
      revision_editorId_id: '("editorId", "id")',
    },
    statusChange: {
      statusChange_targetId_createdAt_id: '("targetId", "createdAt", "id")',
      statusChange_actorId_id: '("actorId", "id")',
    },
    feedEntry: {
      feedEntry_latest: '("createdAt", "id")',
      feedEntry_popular: '("score", "createdAt", "id")',
      feedEntry_type_latest: '("type", "createdAt", "id")',
      feedEntry_authorId_latest: '("authorId", "createdAt", "id", "type")',
      feedEntry_type_popular: '("type", "score", "createdAt", "id")',
      feedEntry_authorId_popular: '("authorId", "score", "createdAt", "id", "type")',
      feedEntry_number: 'unique ("number")',
      feedEntry_agents_latest: '("createdAt", "id") where "viaClientId" is not null',
      feedEntry_agents_popular: '("score", "createdAt", "id") where "viaClientId" is not null',
    },
    slug: {
      slug_base: '("kind", "base")',
      slug_target: '("targetId")',
    },
    keptSlug: {
      keptSlug_owner: '("ownerId")',
    },
    threadState: {
      threadState_pinned: '("type", "id") where "pinnedAt" is not null',
      threadState_due: '("dueOn", "id") where "dueOn" is not null',
      threadState_solution: '("solutionId") where "solutionId" is not null',
    },
    assignment: {
      assignment_user: '("userId", "thingId")',
    },
    threadChange: {
      threadChange_target: '("targetId", "createdAt", "id")',
      threadChange_actor: '("actorId", "id")',
      threadChange_account: '("accountId", "id") where "accountId" is not null',
      threadChange_from: '("fromId") where "fromId" is not null',
    },
    threadVisit: {
      threadVisit_thing: '("thingId")',
      threadVisit_bookmarked: '("userId", "bookmarkedAt", "thingId") where "bookmarkedAt" is not null',
      threadVisit_old: '("seenAt") where "bookmarkedAt" is null',
    },
    mergedThing: {
      mergedThing_target: '("targetId", "mergedAt", "id")',
      mergedThing_pending: '("mergedAt", "id") where "doneAt" is null',
      mergedThing_author: '("authorId", "id")',
      mergedThing_undoable: '("mergedAt", "id") where "record" is not null',
      mergedThing_byServer: `("mergedAt", "id") where "mergedBy" = '00000000-0000-7000-8000-000000000001'`,
    },
    mergedPart: {
      mergedPart_part: '("partId", "kind")',
    },
    mergeUndo: {
      mergeUndo_target: '("targetId")',
    },
    feedback: {
      feedback_version: '("itemId", "number", "type", "thingId")',
    },
    versionCloses: {
      versionCloses_version: '("itemId", "number")',
      versionCloses_account: '("accountId", "id")',
    },
    boardMember: {
      boardMember_user: '("userId")',
    },
    sharedFilter: {
      sharedFilter_board: 'unique ("boardId", "path") where "boardId" is not null',
      sharedFilter_first: 'unique ("path") where "boardId" is null',
      sharedFilter_user: '("userId") where "userId" is not null',
    },
    textImage: {
      textImage_uploader: '("uploaderId", "id")',
      textImage_thing: '("thingId") where "thingId" is not null',
      textImage_loose: '("createdAt") where "thingId" is null',
      textImage_gone: '("id") where gone = 1',
    },
    formDraft: {
      formDraft_updatedAt: '("updatedAt")',
    },
  },
  // How far up something is in the list of what is trending: its votes and comments, and when it was written.
  sqlite: [
    `alter table "feedEntry" add column "heat" real generated always as
      (log10(1 + max(0, score + "commentCount")) + unixepoch("createdAt") / 259200.0) virtual`,
    'create index "feedEntry_trending" on "feedEntry" ("heat", "id")',
  ],
  postgres: [
    `alter table "feedEntry" add column "heat" double precision generated always as (
      log(1 + greatest(0, score + "commentCount")::double precision) + extract(epoch from make_timestamp(
        substr("createdAt", 1, 4)::int, substr("createdAt", 6, 2)::int, substr("createdAt", 9, 2)::int,
        substr("createdAt", 12, 2)::int, substr("createdAt", 15, 2)::int,
        substr("createdAt", 18, 2)::int))::double precision / 259200) stored`,
    'create index "feedEntry_trending" on "feedEntry" ("heat", "id")',
  ],
}
