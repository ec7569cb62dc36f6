// What an author asks, as types: an option that does not exist or has a wrong type does not compile, and the type of the
// answer follows from what is offered.

/** One of the things to choose from; a bare string is its own label. */
export type Choice<Value extends string = string> =
  | Value
  | { readonly value: Value; readonly label?: string; readonly description?: string };

type Question = {
  readonly title: string;
  /** More text below the title. */
  readonly message?: string;
};

/** What a typed answer must be. The front end checks it before it is sent. */
export type TextRules = {
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression that must match somewhere in the text. */
  readonly pattern?: string;
  readonly format?: "email" | "uri" | "date" | "date-time";
  /** What to say of an answer that breaks a rule, instead of the front end's words. */
  readonly validate?: string;
};

export type SelectRequest<Value extends string = string> = Question & {
  readonly options: readonly Choice<Value>[];
  /** Selected at first. */
  readonly default?: NoInfer<Value>;
};

export type MultiSelectRequest<Value extends string = string> = Question & {
  readonly options: readonly Choice<Value>[];
  readonly default?: readonly NoInfer<Value>[];
  /** How many at least, and at most. */
  readonly min?: number;
  readonly max?: number;
};

export type ConfirmRequest = Question & {
  /** The words on the two answers. */
  readonly confirmLabel?: string;
  readonly cancelLabel?: string;
  /** What is dangerous about a yes; shown as a warning. */
  readonly danger?: string;
};

export type InputRequest = Question &
  TextRules & {
    readonly placeholder?: string;
    readonly default?: string;
    /** What is typed is not shown, logged or recorded. */
    readonly secret?: boolean;
  };

export type EditorRequest = Question & TextRules & { readonly prefill?: string };

/** The folder is the agent's own, or relative to it. */
export type FilesRequest = Question & { readonly folder?: string; readonly multiple?: boolean };

type FieldWords = { readonly label?: string; readonly description?: string };

export type FormField =
  | (FieldWords &
      TextRules & { readonly kind: "text" | "secret"; readonly placeholder?: string; readonly default?: string })
  | (FieldWords & {
      readonly kind: "number";
      readonly required?: boolean;
      readonly min?: number;
      readonly max?: number;
      readonly integer?: boolean;
      readonly placeholder?: string;
      readonly default?: number;
    })
  | (FieldWords & { readonly kind: "confirm"; readonly default?: boolean })
  | (FieldWords & {
      readonly kind: "select";
      readonly options: readonly Choice[];
      readonly required?: boolean;
      readonly default?: string;
    })
  | (FieldWords & {
      readonly kind: "multi_select";
      readonly options: readonly Choice[];
      readonly required?: boolean;
      readonly min?: number;
      readonly max?: number;
      readonly default?: readonly string[];
    });

/** The fields by the names of their answers; a field without a label is labelled with its name. */
export type FormFields = { readonly [name: string]: FormField };

export type FormRequest<Fields extends FormFields = FormFields> = Question & { readonly fields: Fields };

/** Without the options that a field of its kind does not have, and with a default that is one of its options. */
export type FittingFields<Fields extends FormFields> = {
  readonly [Name in keyof Fields]: { readonly [Key in StrayKey<Fields[Name]>]: never } & FittingDefault<Fields[Name]>;
};

type StrayKey<Field extends FormField> = Exclude<keyof Field, KeyOfKind<FormField, Field["kind"]>>;

type KeyOfKind<Known, Kind> = Known extends { readonly kind: infer Kinds }
  ? Kind extends Kinds
    ? keyof Known
    : never
  : never;

type FittingDefault<Field> = Field extends { readonly kind: "select"; readonly options: readonly (infer Option)[] }
  ? { readonly default?: ChoiceValue<Option> }
  : Field extends { readonly kind: "multi_select"; readonly options: readonly (infer Option)[] }
    ? { readonly default?: readonly ChoiceValue<Option>[] }
    : unknown;

type ChoiceValue<Option> = Option extends string
  ? Option
  : Option extends { readonly value: infer Value }
    ? Value
    : never;

type FieldAnswer<Field> = Field extends { readonly kind: "confirm" }
  ? boolean
  : Field extends { readonly kind: "number" }
    ? number
    : Field extends { readonly kind: "select"; readonly options: readonly (infer Option)[] }
      ? ChoiceValue<Option>
      : Field extends { readonly kind: "multi_select"; readonly options: readonly (infer Option)[] }
        ? ChoiceValue<Option>[]
        : string;

/** A field that always has an answer: a required one, one with a default, and a yes or no. */
type IsSure<Field> = Field extends { readonly required: true } | { readonly kind: "confirm" }
  ? true
  : Field extends { readonly default: NonNullable<unknown> }
    ? true
    : false;

/** An optional field that was left empty is missing. */
export type FormAnswer<Fields extends FormFields> = Flat<
  {
    -readonly [Name in keyof Fields as IsSure<Fields[Name]> extends true ? Name : never]: FieldAnswer<Fields[Name]>;
  } & {
    -readonly [Name in keyof Fields as IsSure<Fields[Name]> extends true ? never : Name]?: FieldAnswer<Fields[Name]>;
  }
>;

/** One object type, as editors show it. */
type Flat<Type> = { [Key in keyof Type]: Type[Key] };

/** What an agent wants to do. Say all of it: the user sees it before the answer. */
export type PermissionRequest = {
  readonly tool: string;
  /** The call that needs the permission, when the tool was or will be reported under this id. */
  readonly toolCallId?: string;
  readonly arguments?: unknown;
  /** Default: the tool with its path or command. */
  readonly title?: string;
  readonly message?: string;
  readonly command?: string;
  readonly path?: string;
  /** A unified diff of the change. */
  readonly diff?: string;
  readonly language?: string;
  readonly summary?: string;
  /** The diff or the summary is not complete. */
  readonly truncated?: boolean;
  /** What is dangerous about it. */
  readonly danger?: string;
  /** Whether "always" may be answered; then the agent keeps the rule. */
  readonly remember?: boolean;
  /** The rule that "always" adds, and where it holds. */
  readonly rule?: string;
  readonly scope?: string;
};

/** `remember` is true only if it was offered; `reason` is why not, and empty without one. */
export type PermissionAnswer = { readonly ok: boolean; readonly remember: boolean; readonly reason: string };
