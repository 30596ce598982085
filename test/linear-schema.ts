// The part of Linear's published GraphQL schema (linear.app/developers) that the Linear of our tests answers.
import { buildSchema } from 'graphql'

export const schema = buildSchema(`
  scalar DateTime
  scalar DateTimeOrDuration
  enum PaginationOrderBy { createdAt updatedAt }
  input StringComparator { eq: String eqIgnoreCase: String }
  input NumberComparator { eq: Float gte: Float }
  input DateComparator { eq: DateTimeOrDuration gte: DateTimeOrDuration }
  input IssueIDComparator { eq: ID }
  input IDComparator { eq: ID }
  input TeamFilter { id: IDComparator key: StringComparator }
  input IssueFilter { id: IssueIDComparator number: NumberComparator team: TeamFilter updatedAt: DateComparator }
  input NullableIssueFilter { id: IssueIDComparator number: NumberComparator team: TeamFilter }
  input CommentFilter { id: IDComparator issue: NullableIssueFilter updatedAt: DateComparator }
  input UserFilter { displayName: StringComparator }
  input IssueLabelFilter { name: StringComparator }
  input IssueCreateInput { id: String teamId: String! title: String description: String stateId: String labelIds: [String!] }
  input IssueUpdateInput { title: String description: String stateId: String }
  input CommentCreateInput { id: String issueId: String body: String }
  input CommentUpdateInput { body: String }
  input IssueLabelCreateInput { name: String! color: String teamId: String }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type User { id: ID! name: String! displayName: String! }
  type WorkflowState { id: ID! name: String! type: String! position: Float! }
  type WorkflowStateConnection { nodes: [WorkflowState!]! }
  type Team { id: ID! key: String! name: String! states(first: Int): WorkflowStateConnection! }
  type TeamConnection { nodes: [Team!]! }
  type UserConnection { nodes: [User!]! }
  type IssueLabel { id: ID! name: String! color: String! team: Team }
  type IssueLabelConnection { nodes: [IssueLabel!]! }
  type IssueHistory {
    id: ID! createdAt: DateTime! actor: User fromTitle: String toTitle: String fromState: WorkflowState toState: WorkflowState
    addedLabels: [IssueLabel!] removedLabels: [IssueLabel!] updatedDescription: Boolean
  }
  type IssueHistoryConnection { nodes: [IssueHistory!]! }
  type Issue {
    id: ID! identifier: String! number: Float! title: String! description: String url: String! createdAt: DateTime! updatedAt: DateTime!
    trashed: Boolean creator: User state: WorkflowState! team: Team!
    labels(first: Int): IssueLabelConnection! history(first: Int): IssueHistoryConnection!
  }
  type IssueConnection { nodes: [Issue!]! pageInfo: PageInfo! }
  type Comment { id: ID! body: String! url: String! createdAt: DateTime! updatedAt: DateTime! user: User issue: Issue }
  type CommentConnection { nodes: [Comment!]! pageInfo: PageInfo! }
  type IssuePayload { success: Boolean! issue: Issue }
  type CommentPayload { success: Boolean! comment: Comment! }
  type IssueLabelPayload { success: Boolean! issueLabel: IssueLabel! }
  type DeletePayload { success: Boolean! entityId: String! }
  type Query {
    viewer: User!
    teams(filter: TeamFilter, first: Int): TeamConnection!
    users(filter: UserFilter, first: Int): UserConnection!
    issueLabels(filter: IssueLabelFilter, first: Int): IssueLabelConnection!
    issues(filter: IssueFilter, first: Int, after: String, orderBy: PaginationOrderBy, includeArchived: Boolean): IssueConnection!
    comments(filter: CommentFilter, first: Int, after: String): CommentConnection!
  }
  type Mutation {
    issueCreate(input: IssueCreateInput!): IssuePayload!
    issueUpdate(id: String!, input: IssueUpdateInput!): IssuePayload!
    issueAddLabel(id: String!, labelId: String!): IssuePayload!
    issueRemoveLabel(id: String!, labelId: String!): IssuePayload!
    issueLabelCreate(input: IssueLabelCreateInput!): IssueLabelPayload!
    commentCreate(input: CommentCreateInput!): CommentPayload!
    commentUpdate(id: String!, input: CommentUpdateInput!): CommentPayload!
    commentDelete(id: String!): DeletePayload!
  }
`)
