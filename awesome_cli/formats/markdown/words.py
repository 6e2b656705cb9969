"""Words by which parts of a list are told apart: labels of links, venues, names of columns, words of titles."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


VENUES = _words(
    """
    ICLR NeurIPS NIPS ICML ACL EMNLP NAACL EACL AACL COLING TACL CVPR ICCV ECCV WACV BMVC ACCV AAAI IJCAI KDD SIGKDD
    WWW SIGIR CIKM WSDM RecSys ICRA IROS CoRL RSS SIGGRAPH ICASSP INTERSPEECH UAI AISTATS COLT JMLR TMLR TPAMI PAMI
    IJCV TIP TOG TVCG 3DV ICME ISCA MICRO ASPLOS HPCA OSDI SOSP NSDI EuroSys ATC MLSys VLDB PVLDB SIGMOD ICDE CCS
    NDSS USENIX SIGCOMM CHI UIST CSCW ICSE FSE ASE ISSTA PLDI POPL OOPSLA Nature Science PNAS arXiv Arxiv ArXiv
    Preprint CoRR bioRxiv medRxiv COLM CoLM LREC CoNLL MICCAI TMI RA-L RAL T-RO TKDE TOIS TNNLS ICPR DAC PPoPP SoCC
    HotOS ICLP ECAI AAMAS ICAPS CogSci ISWC ESWC SemEval IEEE ACM MobiCom MobiSys SenSys INFOCOM ICDM SDM PAKDD ECML
    ICDAR ICIP ICSC ISMAR TRO ICS SC TACO TOIT JAIR AIJ IUI SIGDIAL EDBT
    """
)
"""Venues by their usual short names; text with one of them, and a year, tells where a work appeared."""
TITLE_WORDS = _set(
    """
    a the of for and in on with to from by via is are as at using towards toward without how why what when this that
    need it its your be or not under over into through between large language models model learning deep neural
    network networks survey review reinforcement vision visual image images video generation reasoning efficient
    data training attention transformer transformers agents agent multi benchmark framework knowledge robust
    adaptive self scaling prediction detection representation representations recognition segmentation optimization
    analysis systems system inference memory graph diffusion policy technical report gaussian splatting prompt
    prompting tuning retrieval evaluation
    """
)
"""Words that stand in titles and in no name."""
PAPER_LABELS = _set(
    """
    paper papers pdf arxiv abs abstract doi openreview acl anthology publication preprint article ps html ieee acm
    springer neurips nips icml iclr cvpr iccv eccv aaai emnlp naacl journal conference proceedings manuscript cvf
    jmlr 论文 biorxiv medrxiv ssrn pmlr pubmed
    """
)
"""Words of labels that say: this is the paper."""
OTHER_LABELS = _set(
    """
    code codes github git gitlab repo repository implementation implementations official unofficial pytorch
    tensorflow jax keras project projects page pages website web site homepage home webpage blog blogpost post demo
    demos video videos youtube talk dataset datasets data model models weights checkpoint checkpoints huggingface
    hugging face hf space spaces colab notebook slides slide poster supp supplement supplementary material materials
    appendix bibtex bib cite citation review reviews notes note twitter tweet thread x news media press docs doc
    documentation tool tools toolkit presentation tutorial leaderboard benchmark interview podcast summary link
    links url here this download read more source full text online version camera ready long short extended tech
    technical report the and of for on in by v1 v2 v3 main star stars 代码 项目 主页 wechat linkedin reddit medium zhihu
    kaggle software app api workshop oral spotlight follow up caffe matlab torch python theano mxnet c cpp lua r
    julia author authors s
    """
)
"""Words of labels for what goes with a paper, or that say nothing."""
NO_PAPERS = _set(
    """
    slides slide poster supp supplementary supplement appendix bib bibtex dataset data video code
    """
)
"""Words of labels that say: this is not the paper itself."""
TITLE_COLUMNS = _words(
    """
    title paper paper_title papers article publication work reference name 论文 标题
    """
)
"""Names of columns that hold titles, the best first."""
NAME_COLUMNS = _words(
    """
    method model methods models approach benchmark dataset framework system algorithm survey
    """
)
"""Names of columns that hold the short names of works."""
YEAR_COLUMNS = _set(
    """
    year date time month published release released publish_date release_date pub_date 年份 时间 日期
    """
)
"""Names of columns that hold dates."""
VENUE_COLUMNS = _set(
    """
    venue conf publication pub where source published_in 会议
    """
)
"""Names of columns that hold venues, beside those of any table."""
LINK_COLUMNS = _set(
    """
    link links url code github repo repository project page project_page website homepage demo pdf arxiv paper_link
    paper_url resources resource dataset data video code_link model weights 代码 链接
    """
)
"""Names of columns that hold links."""
SUMMARY_COLUMNS = _set(
    """
    description summary tl_dr tldr key_idea contribution contributions note notes comment comments abstract
    """
)
"""Names of columns that say what a work is."""
PAPER_COLUMNS = frozenset(TITLE_COLUMNS) - {"work", "reference", "name"}
"""Names of columns in tables of papers."""
IDLE_COLUMNS = _set(
    """
    id no index stars star recom
    """
)
"""Names of columns that say nothing of a work."""
PAPER_LINK_COLUMNS = _set("paper pdf arxiv paper_link paper_url 论文")
"""Names of columns whose links lead to the papers."""
ELSEWHERE_LABELS = _set(
    "blog blogpost post docs doc documentation code github website homepage project video tweet demo"
)
"""Words of labels that lead elsewhere, even in a column of papers."""
BLOCK_TAGS = _set(
    """
    p div center section article hr ul ol li dl dt dd table thead tbody tr td th blockquote details summary
    """
)
"""Marks of HTML before and behind which a text ends, besides headings."""
