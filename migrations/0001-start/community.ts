// Bugs, feature requests, posts and releases, with labels. Every list is a scan of one index: what it is filtered by, then its order.
import type { Room } from './room.ts'

export const community: Room = {
  tables: {
    label: `
      "id" text not null primary key, "name" text not null, "nameKey" text not null unique, "color" text not null, "description" text
    `,
    bug: `
      "id" text not null primary key, "title" text not null, "description" text not null, "authorId" text not null,
      "status" text not null, "severity" text not null, "score" integer not null default 0, "commentCount" integer not null default 0,
      "createdAt" text not null, "updatedAt" text not null, "number" integer not null default 0, "editedAt" text,
      "revisionCount" integer not null default 0, "statusChangeCount" integer not null default 0, "hidden" integer not null default 0,
      "mergedCount" integer not null default 0, "viaClientId" text, "boardId" text, "touchedAt" text,
      "activeAt" text generated always as (coalesce("touchedAt", "createdAt")) derived
    `,
    bugLabel: `
      "labelId" text not null references "label" ("id") on delete cascade,
      "bugId" text not null references "bug" ("id") on delete cascade, "authorId" text not null default '',
      "status" text not null default '', "severity" text not null default '', "createdAt" text not null default '',
      "score" integer not null default 0, "hidden" integer not null default 0, "touchedAt" text,
      "activeAt" text generated always as (coalesce("touchedAt", "createdAt")) derived,
      constraint "bugLabel_key" primary key ("labelId", "bugId")
    `,
    feature: `
      "id" text not null primary key, "title" text not null, "description" text not null, "authorId" text not null,
      "status" text not null, "score" integer not null default 0, "createdAt" text not null, "updatedAt" text not null,
      "commentCount" integer not null default 0, "number" integer not null default 0, "editedAt" text,
      "revisionCount" integer not null default 0, "statusChangeCount" integer not null default 0, "hidden" integer not null default 0,
      "mergedCount" integer not null default 0, "viaClientId" text, "boardId" text, "touchedAt" text,
      "activeAt" text generated always as (coalesce("touchedAt", "createdAt")) derived
    `,
    featureLabel: `
      "labelId" text not null references "label" ("id") on delete cascade,
      "featureId" text not null references "feature" ("id") on delete cascade, "authorId" text not null, "status" text not null,
      "createdAt" text not null, "score" integer not null, "hidden" integer not null default 0, "touchedAt" text,
      "activeAt" text generated always as (coalesce("touchedAt", "createdAt")) derived, primary key ("labelId", "featureId")
    `,
    post: `
      "id" text not null primary key, "title" text not null, "body" text not null, "authorId" text not null,
      "score" integer not null default 0, "createdAt" text not null, "commentCount" integer not null default 0,
      "number" integer not null default 0, "editedAt" text, "revisionCount" integer not null default 0,
      "hidden" integer not null default 0, "mergedCount" integer not null default 0, "viaClientId" text, "boardId" text,
      "touchedAt" text, "activeAt" text generated always as (coalesce("touchedAt", "createdAt")) derived
    `,
    postLabel: `
      "labelId" text not null references "label" ("id") on delete cascade,
      "postId" text not null references "post" ("id") on delete cascade, "authorId" text not null, "createdAt" text not null,
      "score" integer not null, "hidden" integer not null default 0, "touchedAt" text,
      "activeAt" text generated always as (coalesce("touchedAt", "createdAt")) derived, primary key ("labelId", "postId")
    `,
    release: `
      "id" text not null primary key, "number" integer not null, "title" text not null, "body" text not null, "version" text not null,
      "date" text not null, "closes" text not null, "pending" text, "authorId" text not null, "score" integer not null,
      "commentCount" integer not null, "createdAt" text not null, "editedAt" text, "revisionCount" integer not null default 0,
      "hidden" integer not null default 0, "viaClientId" text, "boardId" text
    `,
  },
  byKey: ['bugLabel', 'featureLabel', 'postLabel'],
  indexes: {
    bug: {
      bug_authorId_createdAt_id_status_severity:
        '("authorId", "createdAt", "id", "status", "severity") where "hidden" = 0',
      bug_authorId_score_createdAt_id_status_severity:
        '("authorId", "score", "createdAt", "id", "status", "severity") where "hidden" = 0',
      bug_latest: '("createdAt", "id") where "hidden" = 0',
      bug_popular: '("score", "createdAt", "id") where "hidden" = 0',
      bug_severity_latest: '("severity", "createdAt", "id") where "hidden" = 0',
      bug_severity_popular: '("severity", "score", "createdAt", "id") where "hidden" = 0',
      bug_status_latest: '("status", "createdAt", "id") where "hidden" = 0',
      bug_status_popular: '("status", "score", "createdAt", "id") where "hidden" = 0',
      bug_status_severity_latest: '("status", "severity", "createdAt", "id") where "hidden" = 0',
      bug_status_severity_popular: '("status", "severity", "score", "createdAt", "id") where "hidden" = 0',
      bug_of_author: '("authorId", "id")',
      bug_agents_latest: '("createdAt", "id") where "hidden" = 0 and "viaClientId" is not null',
      bug_agents_popular: '("score", "createdAt", "id") where "hidden" = 0 and "viaClientId" is not null',
      bug_board: '("boardId", "hidden", "createdAt", "id") where "boardId" is not null',
      bug_active: '("activeAt", "id") where "hidden" = 0',
      bug_status_active: '("status", "activeAt", "id") where "hidden" = 0',
      bug_severity_active: '("severity", "activeAt", "id") where "hidden" = 0',
      bug_status_severity_active: '("status", "severity", "activeAt", "id") where "hidden" = 0',
      bug_author_active: '("authorId", "activeAt", "id", "status", "severity") where "hidden" = 0',
      bug_agents_active: '("activeAt", "id") where "hidden" = 0 and "viaClientId" is not null',
    },
    bugLabel: {
      bugLabel_bug: '("bugId")',
      bugLabel_labelId_authorId_createdAt_bugId_status_severity:
        '("labelId", "authorId", "createdAt", "bugId", "status", "severity") where "hidden" = 0',
      bugLabel_labelId_authorId_score_createdAt_bugId_status_severity:
        '("labelId", "authorId", "score", "createdAt", "bugId", "status", "severity") where "hidden" = 0',
      bugLabel_labelId_createdAt_bugId_status_severity:
        '("labelId", "createdAt", "bugId", "status", "severity") where "hidden" = 0',
      bugLabel_labelId_score_createdAt_bugId_status_severity:
        '("labelId", "score", "createdAt", "bugId", "status", "severity") where "hidden" = 0',
      bugLabel_active: '("labelId", "activeAt", "bugId", "status", "severity") where "hidden" = 0',
      bugLabel_author_active: '("labelId", "authorId", "activeAt", "bugId", "status", "severity") where "hidden" = 0',
    },
    feature: {
      feature_authorId_createdAt_id_status: '("authorId", "createdAt", "id", "status") where "hidden" = 0',
      feature_authorId_score_createdAt_id_status:
        '("authorId", "score", "createdAt", "id", "status") where "hidden" = 0',
      feature_createdAt_id: '("createdAt", "id") where "hidden" = 0',
      feature_score_createdAt_id: '("score", "createdAt", "id") where "hidden" = 0',
      feature_status_createdAt_id: '("status", "createdAt", "id") where "hidden" = 0',
      feature_status_score_createdAt_id: '("status", "score", "createdAt", "id") where "hidden" = 0',
      feature_of_author: '("authorId", "id")',
      feature_agents_latest: '("createdAt", "id") where "hidden" = 0 and "viaClientId" is not null',
      feature_agents_popular: '("score", "createdAt", "id") where "hidden" = 0 and "viaClientId" is not null',
      feature_board: '("boardId", "hidden", "createdAt", "id") where "boardId" is not null',
      feature_active: '("activeAt", "id") where "hidden" = 0',
      feature_status_active: '("status", "activeAt", "id") where "hidden" = 0',
      feature_author_active: '("authorId", "activeAt", "id", "status") where "hidden" = 0',
      feature_agents_active: '("activeAt", "id") where "hidden" = 0 and "viaClientId" is not null',
    },
    featureLabel: {
      featureLabel_feature: '("featureId")',
      featureLabel_latest: '("labelId", "createdAt", "featureId", "status") where "hidden" = 0',
      featureLabel_author_latest: '("labelId", "authorId", "createdAt", "featureId", "status") where "hidden" = 0',
      featureLabel_popular: '("labelId", "score", "createdAt", "featureId", "status") where "hidden" = 0',
      featureLabel_author_popular:
        '("labelId", "authorId", "score", "createdAt", "featureId", "status") where "hidden" = 0',
      featureLabel_active: '("labelId", "activeAt", "featureId", "status") where "hidden" = 0',
      featureLabel_author_active: '("labelId", "authorId", "activeAt", "featureId", "status") where "hidden" = 0',
    },
    post: {
      post_authorId_createdAt_id: '("authorId", "createdAt", "id") where "hidden" = 0',
      post_authorId_score_createdAt_id: '("authorId", "score", "createdAt", "id") where "hidden" = 0',
      post_createdAt_id: '("createdAt", "id") where "hidden" = 0',
      post_score_createdAt_id: '("score", "createdAt", "id") where "hidden" = 0',
      post_of_author: '("authorId", "id")',
      post_agents_latest: '("createdAt", "id") where "hidden" = 0 and "viaClientId" is not null',
      post_agents_popular: '("score", "createdAt", "id") where "hidden" = 0 and "viaClientId" is not null',
      post_board: '("boardId", "hidden", "createdAt", "id") where "boardId" is not null',
      post_active: '("activeAt", "id") where "hidden" = 0',
      post_author_active: '("authorId", "activeAt", "id") where "hidden" = 0',
      post_agents_active: '("activeAt", "id") where "hidden" = 0 and "viaClientId" is not null',
    },
    postLabel: {
      postLabel_post: '("postId")',
      postLabel_latest: '("labelId", "createdAt", "postId") where "hidden" = 0',
      postLabel_author_latest: '("labelId", "authorId", "createdAt", "postId") where "hidden" = 0',
      postLabel_popular: '("labelId", "score", "createdAt", "postId") where "hidden" = 0',
      postLabel_author_popular: '("labelId", "authorId", "score", "createdAt", "postId") where "hidden" = 0',
      postLabel_active: '("labelId", "activeAt", "postId") where "hidden" = 0',
      postLabel_author_active: '("labelId", "authorId", "activeAt", "postId") where "hidden" = 0',
    },
    release: {
      release_createdAt_id: '("createdAt", "id") where "hidden" = 0',
      release_score_createdAt_id: '("score", "createdAt", "id") where "hidden" = 0',
      release_authorId_createdAt_id: '("authorId", "createdAt", "id") where "hidden" = 0',
      release_authorId_score_createdAt_id: '("authorId", "score", "createdAt", "id") where "hidden" = 0',
      release_of_author: '("authorId", "id")',
      release_pending: '("id") where "pending" is not null',
      release_drafts: '("createdAt", "id") where "hidden" = 32',
      release_agents_latest: '("createdAt", "id") where "hidden" = 0 and "viaClientId" is not null',
      release_agents_popular: '("score", "createdAt", "id") where "hidden" = 0 and "viaClientId" is not null',
      release_board: '("boardId", "hidden", "createdAt", "id") where "boardId" is not null',
    },
  },
  // One sequence of numbers for bugs, feature requests and posts.
  sqlite: ['create table "thingNumber" ("last" integer not null)', 'insert into "thingNumber" ("last") values (0)'],
  postgres: ['create sequence "thingNumber"'],
}
